-- Sliding log, exact: the twin of `authguard/limits/sliding_log.py`.

local function count(log, now, cost, amount, period)
  local at, entries = effective(log, 6, now), #log / 6
  local gone = expired(log, 6, period, at)
  local left = max(0, amount - entries + gone)
  if cost > amount then
    return NEVER, left
  end
  if cost > left then
    local goes = unpack_bytes('>I6', log, (entries + cost - amount - 1) * 6 + 1)
    return period - (at - goes) % RANGE + at - now, left
  end
  local charged = sub(log, gone * 6 + 1) .. rep(pack('>I6', at % RANGE), cost)
  return 0, left, at, charged, period + at - now, left - cost
end

local function merge(one, other, now)
  return merge_logs(one, other, 6, now)
end

return count, merge
