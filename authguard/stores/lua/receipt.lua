-- Receipt: its header, the record of the plan that it is for, and the values of the keys that go with it.
--
-- KEYS[1] is the plan's nonce, then the key of each counter that the outcome touches, its previous keys behind it.
-- ARGV[1] is the receipt as `redis_receipt.py` packs it. The scripts that read it return 1 when this call settled the
-- plan, else 0. A repetition of the same call, told by its token, returns what the first returned.

local SETTLED = 1
local receipt, keys = ARGV[1], KEYS
local outcome, rows, counters, client, mark, token, at, hold, kept, position = unpack_bytes('>BHHc7c9dddd', receipt)
local values, now = call('MGET', unpack(keys)), clock()

if not values[1] then
  return 0
end
local expires, phase, by, dispatched, charged, _, decided = unpack_bytes('>dBddHBd', values[1])
if phase ~= OPEN and by == token then
  return 1
end
if expires <= now or (at ~= 0 and at ~= decided) or charged ~= counters then
  return 0
end
