-- Logs: entries of a fixed size, oldest first, each of which begins with its time in 6 bytes. The twin of
-- `authguard/limits/log.py`, whose `count` is part of `decide.lua`.

-- Returns how many entries, counted from the oldest, stand no longer at `at`.
local function expired(log, size, period, at)
  if log == '' or (at - unpack_bytes('>I6', log)) % RANGE < period then
    return 0
  end
  local low, high = 1, #log / size
  while low < high do
    local middle = math.floor((low + high) / 2)
    if (at - unpack_bytes('>I6', log, middle * size + 1)) % RANGE >= period then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end
