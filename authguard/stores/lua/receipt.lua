-- Receipt: its header, the record of the plan that it is for, and the values of the keys that go with it.

local SUCCEEDED, FAILED, DISPATCH, COMMIT, RELEASE, CANCEL = 0, 2, 3, 4, 5, 6

local receipt = ARGV[1]
local outcome, rows, counters, client, mark, token, at, hold, kept, position = unpack_bytes('>BHHc7c9dddd', receipt)
local values, now = call('MGET', unpack(KEYS)), clock()

if not values[1] then
  return 0
end
local expires, phase, by, dispatched, _, decided = unpack_bytes('>dBddBd', values[1])
if phase ~= OPEN and by == token then
  return 1
end
