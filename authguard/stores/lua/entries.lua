-- Entries: questions to a log whose entries have 16 bytes: time 6, flag 1, tag 7, guess 2.

-- Returns for how many microseconds the same guess by the same client stands still; 0: it doesn't.
local function stands_for(log, period, now)
  local at, found = effective(log, 16, now), locate(log, mark, 7, 1)
  local latest = found
  while found do
    latest, found = found, locate(log, mark, 7, found + 16)
  end
  local rest = latest and period - (at - unpack_bytes('>I6', log, latest)) % RANGE or 0
  return rest > 0 and rest + at - now or 0
end

-- Returns how many standing entries belong to attempts begun less than `hold` ago and not settled.
local function under_way(log, period, now)
  local at, pending = effective(log, 16, now), 0
  for position = #log - 15, 1, -16 do
    local time, flag = unpack_bytes('>I6B', log, position)
    local age = (at - time) % RANGE
    if age >= hold or age >= period then
      break
    end
    pending = pending + flag
  end
  return pending
end
