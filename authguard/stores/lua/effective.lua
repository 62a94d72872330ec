-- Effective: returns `now`, or the time of a log's last entry where that lies in the future.
local function effective(log, size, now)
  if log == '' then
    return now
  end
  local ahead = (unpack_bytes('>I6', log, #log - size + 1) - now) % RANGE
  return ahead < HALF and now + ahead or now
end
