-- Long log: a sliding log of many entries, which is not read as a whole. Charges are appended; entries that stand no
-- longer are left in place until they are more than those that do.

-- Returns the entries' times at the places given, counted from 0.
local function times(key, ...)
  local command = { 'BITFIELD', key }
  for _, place in ipairs({ ... }) do
    command[#command + 1] = 'GET'
    command[#command + 1] = 'u48'
    command[#command + 1] = place * 48
  end
  return unpack(call(unpack(command)))
end

local function expired_of(key, entries, first, period, at)
  if (at - first) % RANGE < period then
    return 0
  end
  local low, high = 1, entries
  while low < high do
    local middle = floor((low + high) / 2)
    if (at - times(key, middle)) % RANGE >= period then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

local function count(key, now, cost, amount, period)
  local entries = call('STRLEN', key) / 6
  local at, gone = now, 0
  if entries > 0 then
    local first, last = times(key, 0, entries - 1)
    local ahead = (last - now) % RANGE
    at = ahead < RANGE / 2 and now + ahead or now
    gone = expired_of(key, entries, first, period, at)
  end
  local left = max(0, amount - entries + gone)
  if cost > left then
    if cost > amount then
      return NEVER, left, NOT_CHARGED, left
    end
    local goes = times(key, entries + cost - amount - 1)
    return period - (at - goes) % RANGE + at - now, left, NOT_CHARGED, left
  end
  local function write()
    local added, ends = string.rep(pack('>I6', at % RANGE), cost), ending(period + at)
    if gone > entries / 2 then
      call('SET', key, call('GETRANGE', key, gone * 6, -1) .. added, 'PXAT', ends)
    else
      call('APPEND', key, added)
      call('PEXPIREAT', key, ends)
    end
  end
  return 0, left, at, left - cost, write
end

counts[LONG_LOG] = count
