-- Plan: the header of the packed plan, which every way of counting may read, and the states that stand under its keys.

local plan = ARGV[1]
local peeking, counters, whole, hold, remembered, mark, position = unpack_bytes('>BHHddc9', plan)
local values, now = call('MGET', unpack(KEYS, 1, whole)), clock()

-- How each kind of counter but the logs counts and merges; filled by the files of the kinds that the plan has.
local counts, merges = {}, {}

-- Returns the state under the key at `place` and the `olds` previous keys behind it.
local function gather(place, olds, kind, amount, period, burst)
  local state = values[place] or ''
  for old = place + 1, place + olds do
    local other = values[old]
    if other and state == '' then
      state = other
    elseif other and kind <= SLIDING_LOG then
      state = merge_logs(state, other, kind == SLIDING_LOG and 6 or 16, now)
    elseif other then
      state = merges[kind](state, other, now, amount, period, burst)
    end
  end
  return state
end
