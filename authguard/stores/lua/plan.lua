-- Plan: the header of the packed plan, which every way of counting may read, and the states that stand under its keys.

local plan, keys = ARGV[1], KEYS
local peeking, counters, whole, hold, remembered, mark, position = unpack_bytes('>BHHddc9', plan)
local values, now = call('MGET', unpack(keys, 1, whole)), clock()
