-- Sliding log, exact: the twin of `authguard/limits/sliding_log.py`.

local function count(log, now, cost, amount, period)
  return count_log(log, now, cost, amount, period, 6, '')
end

local function merge(one, other, now)
  return merge_logs(one, other, 6, now)
end

return count, merge
