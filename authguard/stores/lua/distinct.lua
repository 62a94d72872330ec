-- Distinct: the twin of `authguard/limits/distinct.py`. A failure log whose tag is the member that an entry counts.

-- Returns in how many microseconds so many members have gone that one more is admitted.
local function opens(latest, members, at, amount, period)
  local ages = {}
  for _, time in pairs(latest) do
    ages[#ages + 1] = (at - time) % RANGE
  end
  table.sort(ages, function(a, b) return a > b end)
  return period - ages[members - amount + 1]
end

local function count(log, now, _, amount, period, _, position, kind)
  local member = sub(plan, position, position + 6)
  local flag = (kind ~= DISTINCT_FAILURES or hold == 0) and '\0' or '\1'
  local at = effective(log, 16, now)
  local alive = sub(log, expired(log, 16, period, at) * 16 + 1)
  local latest, members = {}, 0
  for position = 1, #alive, 16 do
    local time, who = unpack_bytes('>I6xc7', alive, position)
    if not latest[who] then
      members = members + 1
    end
    latest[who] = time
  end
  local left = max(0, amount - members)
  if left == 0 and not latest[member] then
    return opens(latest, members, at, amount, period) + at - now, left, NOT_CHARGED, left
  end
  local charged = alive .. pack('>I6', at % RANGE) .. flag .. member .. '\0\0'
  if flag == '\0' then
    charged = prune(charged)
  end
  return 0, left, at, latest[member] and left or left - 1, charged, period + at - now
end

local DISTINCT_ATTEMPTS = 3
counts[DISTINCT_FAILURES], counts[DISTINCT_ATTEMPTS] = count, count
