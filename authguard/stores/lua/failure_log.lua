-- Failure log: the twin of `authguard/limits/failure_log.py`.

local function count(log, now, cost, amount, period)
  return count_log(log, now, cost, amount, period, 16, '\1' .. mark)
end

local function merge(one, other, now)
  return merge_logs(one, other, 16, now)
end

return count, merge
