-- Numbers: Lua counts in doubles; integers below 2^53 are exact, and `Limit` refuses what would need more.
--
-- Everything here is done again at each call of a script: what only some kinds of counters need stands in their files.

local pack, unpack_bytes, sub, max = struct.pack, struct.unpack, string.sub, math.max

-- A wait that no time ends, and the stamp of a counter that was not charged.
local NEVER, NOT_CHARGED = -1, -1
-- Log entries hold the low 48 bits of their time. Where an entry is less than half of that ahead, it lies in the future.
local RANGE, HALF = 2 ^ 48, 2 ^ 47

-- The kinds of counters, as `redis_packing.py` numbers them, but for those that only their own file knows: up to
-- DISTINCT_FAILURES they count failures.
local FAILURE_LOG, DISTINCT_FAILURES, SLIDING_LOG, LONG_LOG, RESERVATIONS = 1, 2, 4, 5, 11

-- What became of an admitted plan, and bytes of its nonce's record before the reply: when it expires 8, what became of
-- it 1, by which call 8, when it was dispatched 8, how many counters it has 2.
local OPEN, RELEASED, RECORD = 0, 4, 27
