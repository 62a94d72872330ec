-- Logs: entries of a fixed size, oldest first, each of which begins with its time in 6 bytes.

-- Returns `now`, or the time of the log's last entry where that lies in the future.
local function effective(log, size, now)
  if log == '' then
    return now
  end
  local ahead = (unpack_bytes('>I6', log, #log - size + 1) - now) % RANGE
  return ahead < RANGE / 2 and now + ahead or now
end

-- Returns how many entries, counted from the oldest, stand no longer at `at`.
local function expired(log, size, period, at)
  if log == '' or (at - unpack_bytes('>I6', log)) % RANGE < period then
    return 0
  end
  local low, high = 1, #log / size
  while low < high do
    local middle = floor((low + high) / 2)
    if (at - unpack_bytes('>I6', log, middle * size + 1)) % RANGE >= period then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

-- Counts `cost` entries, which consist of their time and `rest`; the twin of `count` in `authguard/limits/log.py`.
local function count_log(log, now, cost, amount, period, size, rest)
  local at, entries, gone = now, 0, 0
  if log ~= '' then
    at, entries = effective(log, size, now), #log / size
    gone = expired(log, size, period, at)
  end
  local left = max(0, amount - entries + gone)
  if cost > left then
    if cost > amount then
      return NEVER, left, NOT_CHARGED, left
    end
    local goes = unpack_bytes('>I6', log, (entries + cost - amount - 1) * size + 1)
    return period - (at - goes) % RANGE + at - now, left, NOT_CHARGED, left
  end
  if gone > 0 then
    log = sub(log, gone * size + 1)
  end
  local entry = pack('>I6', at % RANGE) .. rest
  return 0, left, at, left - cost, log .. (cost == 1 and entry or string.rep(entry, cost)), period + at - now
end

-- Returns the log in which the entries of both stand.
local function merge_logs(one, other, size, now)
  local function age(log, position)
    return (now + RANGE / 2 - unpack_bytes('>I6', log, position)) % RANGE
  end
  local merged, i, j = {}, 1, 1
  while i < #one and j < #other do
    if age(one, i) >= age(other, j) then
      merged[#merged + 1] = sub(one, i, i + size - 1)
      i = i + size
    else
      merged[#merged + 1] = sub(other, j, j + size - 1)
      j = j + size
    end
  end
  return table.concat(merged) .. sub(one, i) .. sub(other, j)
end
