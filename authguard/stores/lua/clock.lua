-- Clock: the way to the server, its time in microseconds since the Unix epoch, and lifetimes in the milliseconds of PX.

local call = redis.call

local function clock()
  local time = call('TIME')
  return time[1] * 1000000 + time[2]
end

local function milliseconds(lifetime)
  return math.ceil(lifetime / 1000)
end
