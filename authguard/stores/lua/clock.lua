-- Clock: the way to the server, and its time in microseconds since the Unix epoch.

local call = redis.call

local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- Returns the millisecond, as PEXPIREAT takes it, in which `at` is over. As text: the server would spell a number as one
-- with 17 digits, at twice the cost.
local function ending(at)
  return string.format('%d', (at + 999) / 1000)
end
