-- Decide: charges every counter of a plan, or none; the twin of `decide` in `authguard/limits/engine.py`.
--
-- KEYS[1] is the plan's nonce, then each counter's key, its previous keys behind it. ARGV[1] is the plan and the
-- returned string is the reply, both as `redis_packing.py` packs them.

local plan = ARGV[1]
local peeking, counters, hold, remembered, mark, position = unpack_bytes('>BHI8I8c9', plan)
local values, now = call('MGET', unpack(KEYS)), clock()

if values[1] and peeking == 0 and unpack_bytes('>I8', values[1]) > now then
  return sub(values[1], RECORD + 1)
end

local kinds, shadows, periods, states, places, previous = {}, {}, {}, {}, {}, {}
local charged, lifetimes, lefts = {}, {}, {}
-- Four columns, one behind the other: waits, remaining, stamps, pending.
local reply = {}
local guessing, stands = sub(mark, 8) ~= '\0\0', 0

local place, known, count, merge = 2, nil, nil, nil
for i = 1, counters do
  local kind, looks, joins, olds, cost, amount, period, burst, member, next_position =
    unpack_bytes('>BBBBI8I8I8I8c7', plan, position)
  if kind ~= known then
    known, count, merge = kind, meter_of(kind)
  end
  local state = values[place] or ''
  for old = place + 1, place + olds do
    if values[old] then
      state = state == '' and values[old] or merge(state, values[old], now, amount, period, burst)
    end
  end
  if joins == 1 and guessing then
    stands = max(stands, stands_for(state, period, now, mark))
  end
  local flag = (kind == DISTINCT_ATTEMPTS or hold == 0) and '\0' or '\1'
  local wait, left, stamp, after, lifetime, then_left =
    count(state, now, cost, amount, period, burst, mark, member, flag, next_position)
  position = kind == BACKOFF and next_position + burst * 8 or next_position
  if looks >= 2 then
    stamp, after, then_left = NOT_CHARGED, nil, left
  end
  kinds[i], shadows[i], periods[i], states[i], places[i], previous[i] = kind, looks % 2, period, state, place, olds
  charged[i], lifetimes[i], lefts[i] = after, lifetime, then_left
  reply[i], reply[counters + i], reply[2 * counters + i], reply[3 * counters + i] = wait, left, stamp or NOT_CHARGED, 0
  place = place + 1 + olds
end

local function counts_failures(i)
  return kinds[i] == FAILURE_LOG or kinds[i] == DISTINCT_FAILURES
end

-- A guess joins a charge that will still stand when the counters of attempts admit the plan.
local joined = stands > 0
for i = 1, counters do
  joined = joined and (counts_failures(i) or shadows[i] == 1 or reply[i] < stands)
end

local admitted = true
for i = 1, counters do
  if joined and counts_failures(i) then
    reply[i], reply[2 * counters + i], charged[i] = 0, NOT_CHARGED, nil
  elseif reply[i] ~= 0 and shadows[i] == 0 then
    admitted = false
  end
end

for i = 1, counters do
  if not admitted then
    reply[2 * counters + i] = NOT_CHARGED
    if reply[i] ~= 0 and counts_failures(i) then
      reply[3 * counters + i] = under_way(states[i], periods[i], now, hold)
    end
  elseif charged[i] then
    reply[counters + i] = lefts[i]
    if peeking == 0 then
      call('SET', KEYS[places[i]], charged[i], 'PX', milliseconds(lifetimes[i]))
      if previous[i] > 0 then
        call('DEL', unpack(KEYS, places[i] + 1, places[i] + previous[i]))
      end
    end
  end
end

local packed = pack('>BI8' .. rep('i8', 4 * counters), (admitted and 1 or 0) + (joined and 2 or 0), now, unpack(reply))
if admitted and peeking == 0 then
  call('SET', KEYS[1], pack('>I8Bc8', now + remembered, 0, '........') .. packed, 'PX', milliseconds(remembered))
end
return packed
