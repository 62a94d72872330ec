-- Decide: charges every counter of a plan, or none; the twin of `decide` in `authguard/limits/engine.py`.
--
-- KEYS[1] is the plan's nonce, then each counter's key, its previous keys behind it; behind these, which are `read`
-- keys, those of the long logs. ARGV[1] is the plan as `redis_packing.py` packs it, and the returned string the reply
-- as it is unpacked there.

local values, now = call('MGET', unpack(KEYS, 1, read)), clock()

if values[1] and peeking == 0 then
  local forgotten, phase = unpack_bytes('>dB', values[1])
  if forgotten > now and phase ~= RELEASED then
    return sub(values[1], RECORD + 1)
  end
end

-- Returns the state under the key at `place` and the `olds` previous keys behind it.
local function gather(place, olds, merge, amount, period, burst)
  local state = values[place] or ''
  for old = place + 1, place + olds do
    if values[old] then
      state = state == '' and values[old] or merge(state, values[old], now, amount, period, burst)
    end
  end
  return state
end

-- The flags, the time, and a row of three for each counter: wait, what is left, and the stamp; or where the plan is
-- denied, charges under way. Tables begin with room for five counters: to let them grow costs more than to fill them.
local reply = { 0, now, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
local charged, lifetimes, lefts, places = { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0, 0 }

-- Whether counters of attempts or of failures deny, how long the former do, and for how long the guess stands still.
local denied, failed, waiting, stands = false, false, 0, 0
local first, place, long, row, known, count, merge = position, 2, read, 3, nil, nil, nil

for i = 1, counters do
  local kind, looks, joins, olds, more, cost, amount, period, burst, extra =
    unpack_bytes('>BBBBHdddd', plan, position)
  if kind ~= known then
    known, count, merge = kind, meter_of(kind)
  end
  places[i] = place
  local wait, left, stamp, then_left, after, lifetime
  if kind == LONG_LOG then
    long = long + 1
    wait, left, stamp, then_left, after, lifetime = count(KEYS[long], now, cost, amount, period)
  else
    local state = olds == 0 and (values[place] or '') or gather(place, olds, merge, amount, period, burst)
    wait, left, stamp, then_left, after, lifetime = count(state, now, cost, amount, period, burst, extra)
    if joins == 1 then
      stands = max(stands, entries().stands_for(state, period, now))
    end
    place = place + 1 + olds
  end
  if wait ~= 0 and looks % 2 == 0 then
    if kind <= DISTINCT_FAILURES then
      failed = true
    else
      denied, waiting = true, max(waiting, wait)
    end
  end
  if looks >= 2 then
    stamp, then_left, after = NOT_CHARGED, left, nil
  end
  reply[row], reply[row + 1], reply[row + 2] = wait, then_left, stamp
  charged[i], lifetimes[i], lefts[i] = after, lifetime, left
  row, position = row + 3, extra + more
end
places[counters + 1] = place

-- A guess joins a charge that will still stand when the counters of attempts admit the plan.
local joined = stands > waiting
local admitted = not denied and (joined or not failed)

if joined or not admitted then
  position, row = first, 3
  for i = 1, counters do
    local kind, _, _, olds, more, _, amount, period, burst, extra = unpack_bytes('>BBBBHdddd', plan, position)
    local failures = kind <= DISTINCT_FAILURES
    if failures and joined then
      reply[row], reply[row + 1], reply[row + 2], charged[i] = 0, lefts[i], NOT_CHARGED, nil
    end
    if not admitted then
      local pending = 0
      if failures and reply[row] ~= 0 then
        local _, merging = meter_of(kind)
        pending = entries().under_way(gather(places[i], olds, merging, amount, period, burst), period, now)
      elseif kind == RESERVATIONS and reply[row] ~= 0 then
        local _, merging, units_reserved = meter_of(kind)
        pending = units_reserved(gather(places[i], olds, merging, amount, period, burst), now, amount, period)
      end
      reply[row + 1], reply[row + 2] = lefts[i], pending
    end
    row, position = row + 3, extra + more
  end
end

reply[1] = (admitted and 1 or 0) + (joined and 2 or 0)
local packed = pack('>Bd' .. string.rep('i8', 3 * counters), unpack(reply, 1, 2 + 3 * counters))
if not admitted or peeking == 1 then
  return packed
end

for i = 1, counters do
  local after = charged[i]
  if long > read and type(after) == 'function' then
    after()
  elseif after then
    call('SET', KEYS[places[i]], after, 'PXAT', ending(now + lifetimes[i]))
    if places[i + 1] > places[i] + 1 then
      call('DEL', unpack(KEYS, places[i] + 1, places[i + 1] - 1))
    end
  end
end
local forgotten = now + remembered
call('SET', KEYS[1], pack('>dBdd', forgotten, OPEN, 0, 0) .. packed, 'PXAT', ending(forgotten))
return packed
