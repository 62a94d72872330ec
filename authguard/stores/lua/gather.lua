-- Gather: returns the state under the key at `place` and the `olds` previous keys behind it.
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
