-- Numbers: Lua counts in doubles; integers below 2^53 are exact, and `Limit` refuses what would need more.

local pack, unpack_bytes, sub = struct.pack, struct.unpack, string.sub
local ceil, floor, max, min = math.ceil, math.floor, math.max, math.min

-- A wait that no time ends, and the stamp of a counter that was not charged.
local NEVER, NOT_CHARGED = -1, -1
-- The state of a key that is to be deleted.
local GONE = ''
-- Log entries hold the low 48 bits of their time.
local RANGE = 2 ^ 48

-- The kinds of counters, as `redis_packing.py` numbers them: those up to DISTINCT_FAILURES count failures.
local FAILURE_LOG, DISTINCT_FAILURES, DISTINCT_ATTEMPTS, SLIDING_LOG, LONG_LOG = 1, 2, 3, 4, 5
local FIXED_WINDOW, SLIDING_COUNTER, LEAKY_BUCKET, BACKOFF, BUDGET, RESERVATIONS = 6, 7, 8, 9, 10, 11

-- What became of an admitted plan, and bytes of its nonce's record before the reply: when it expires 8, what became of
-- it 1, by which call 8, when it was dispatched 8, how many counters it has 2.
local OPEN, SETTLED, DISPATCHING, COMMITTED, RELEASED = 0, 1, 2, 3, 4
local RECORD = 27
