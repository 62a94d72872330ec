-- Failure log: the twin of `authguard/limits/failure_log.py`.

local function count(log, now, cost, amount, period, _, mark)
  local at, entries = effective(log, 16, now), #log / 16
  local gone = expired(log, 16, period, at)
  local left = max(0, amount - entries + gone)
  if cost > amount then
    return NEVER, left
  end
  if cost > left then
    local goes = unpack_bytes('>I6', log, (entries + cost - amount - 1) * 16 + 1)
    return period - (at - goes) % RANGE + at - now, left
  end
  local charged = sub(log, gone * 16 + 1) .. rep(pack('>I6', at % RANGE) .. '\1' .. mark, cost)
  return 0, left, at, charged, period + at - now, left - cost
end

local function merge(one, other, now)
  return merge_logs(one, other, 16, now)
end

return count, merge
