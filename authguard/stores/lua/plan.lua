-- Plan: the header of the packed plan, which every way of counting may read.

local plan = ARGV[1]
local peeking, counters, read, hold, remembered, mark, position = unpack_bytes('>BHHddc9', plan)
