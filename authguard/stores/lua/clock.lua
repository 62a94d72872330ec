-- Clock: the way to the server, and its time in microseconds since the Unix epoch.

local call = redis.call

local function clock()
  local time = call('TIME')
  return time[1] * 1000000 + time[2]
end

-- Returns the millisecond, as PXAT takes it, in which `at` is over. As text: the server would spell a number with 17
-- digits, at twice the cost; and once for counters of one period, which mostly end together.
local ends, spelt
local function ending(at)
  local millisecond = math.ceil(at / 1000)
  if millisecond ~= ends then
    ends, spelt = millisecond, string.format('%.0f', millisecond)
  end
  return spelt
end
