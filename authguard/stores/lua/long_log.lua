-- Long log: a sliding log of many entries, which is read in places, since Lua pays for every byte that it gets to see.
-- Charges are appended; entries that stand no longer are left in place until they are more than those that do.

-- Returns the time of the entry at `place`, counted from 0.
local function time_at(key, place)
  return call('BITFIELD', key, 'GET', 'u48', place * 48)[1]
end

-- Returns how many entries stand no longer at `at`: more than none.
local function expired_in(key, entries, period, at)
  local low, high = 1, entries
  while low < high do
    local middle = math.floor((low + high) / 2)
    if (at - time_at(key, middle)) % RANGE >= period then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

-- How many entries are dropped, at each place of KEYS, before others are appended.
local drops = {}

-- Returns what every `count` does, with the entries to append in place of a state, and how many are dropped first.
local function count_long(key, now, cost, amount, period)
  local entries, at, gone = call('STRLEN', key) / 6, now, 0
  if entries > 0 then
    local ahead = (unpack_bytes('>I6', call('GETRANGE', key, '-6', '-1')) - now) % RANGE
    if ahead < HALF then
      at = now + ahead
    end
    if (at - unpack_bytes('>I6', call('GETRANGE', key, '0', '5'))) % RANGE >= period then
      gone = expired_in(key, entries, period, at)
    end
  end
  local left = max(0, amount - entries + gone)
  if cost > amount then
    return NEVER, left, NOT_CHARGED, left
  elseif cost > left then
    local goes = time_at(key, entries + cost - amount - 1)
    return period - (at - goes) % RANGE + at - now, left, NOT_CHARGED, left
  end
  local added = string.rep(pack('>I6', at % RANGE), cost)
  return 0, left, at, left - cost, added, period + at - now, gone > entries / 2 and gone or 0
end

local function append(key, added, dropped, ends)
  if dropped > 0 then
    call('SET', key, call('GETRANGE', key, dropped * 6, '-1') .. added, 'PXAT', ends)
  else
    call('APPEND', key, added)
    call('PEXPIREAT', key, ends)
  end
end
