-- Decide: charges every counter of a plan, or none; the twin of `decide` in `authguard/limits/engine.py`.
--
-- KEYS[1] is the plan's nonce, then each counter's key, its previous keys behind it; behind these, which are `whole`
-- keys, those of the long logs. ARGV[1] is the plan as `redis_packing.py` packs it, and the returned string the reply
-- as it is unpacked there.

if values[1] and peeking == 0 then
  local forgotten, phase = unpack_bytes('>dB', values[1])
  if forgotten > now and phase ~= RELEASED then
    return sub(values[1], RECORD + 1)
  end
end

local ROW = '>BBBBHdddd'
-- The flags, the time, and a row of three for each counter: wait, what is left, and the stamp; or where the plan is
-- denied, charges under way. Tables begin with room for a few counters: to let them grow costs more than to fill them.
local reply = { 0, now, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
-- What is left in each counter before it is charged.
local lefts = { 0, 0, 0, 0, 0 }
-- What the key at each place of KEYS becomes, or is appended to it where that is a long log, and when that ends.
local afters, ends = { false, false, false, false, false, false }, { 0, 0, 0, 0, 0, 0 }

-- Whether counters of attempts or of failures deny, how long the former do, for how long the guess stands still, and
-- whether what is full may be so because of charges under way.
local denied, failed, waiting, stands, pending = false, false, 0, 0, false
local first, place, long, row = position, 2, whole, 3

for i = 1, counters do
  local kind, looks, joins, olds, more, cost, amount, period, burst, extra = unpack_bytes(ROW, plan, position)
  local state = olds > 0 and gather(place, olds, kind, amount, period, burst) or values[place] or ''
  local wait, left, stamp, then_left, after, lifetime
  if kind == SLIDING_LOG or kind == FAILURE_LOG then
    local size, rest = 6, ''
    if kind == FAILURE_LOG then
      size, rest = 16, '\1' .. mark
    end
    local at, entries, gone = now, #state / size, 0
    if entries > 0 then
      local ahead = (unpack_bytes('>I6', state, #state - size + 1) - now) % RANGE
      if ahead < RANGE / 2 then
        at = now + ahead
      end
      if (at - unpack_bytes('>I6', state)) % RANGE >= period then
        gone = expired(state, size, period, at)
      end
    end
    left = amount - entries + gone
    left = left > 0 and left or 0
    if cost <= left then
      local entry = pack('>I6', at % RANGE) .. rest
      after = (gone > 0 and sub(state, gone * size + 1) or state) .. (cost == 1 and entry or string.rep(entry, cost))
      wait, stamp, then_left, lifetime = 0, at, left - cost, period + at - now
    elseif cost <= amount then
      local goes = unpack_bytes('>I6', state, (entries + cost - amount - 1) * size + 1)
      wait, stamp, then_left = period - (at - goes) % RANGE + at - now, NOT_CHARGED, left
    else
      wait, stamp, then_left = NEVER, NOT_CHARGED, left
    end
    if joins == 1 then
      stands = max(stands, stands_for(state, period, now))
    end
  elseif kind == LONG_LOG then
    long = long + 1
    wait, left, stamp, then_left, after, lifetime, drops[long] = count_long(KEYS[long], now, cost, amount, period)
  else
    wait, left, stamp, then_left, after, lifetime =
      counts[kind](state, now, cost, amount, period, burst, extra, kind)
  end
  if wait ~= 0 then
    pending = pending or kind <= DISTINCT_FAILURES or kind == RESERVATIONS
    local enforced = looks % 2 == 0
    if enforced and kind <= DISTINCT_FAILURES then
      failed = true
    elseif enforced then
      denied, waiting = true, max(waiting, wait)
    end
  end
  if looks >= 2 then
    stamp, then_left, after = NOT_CHARGED, left, nil
  end
  reply[row], reply[row + 1], reply[row + 2], lefts[i] = wait, then_left, stamp, left
  row, position = row + 3, extra + more
  if kind == LONG_LOG then
    afters[long], ends[long] = after, lifetime
  else
    afters[place], ends[place] = after, lifetime
    for old = place + 1, after and place + olds or 0 do
      afters[old] = GONE
    end
    place = place + 1 + olds
  end
end

-- A guess joins a charge that will still stand when the counters of attempts admit the plan.
local joined = stands > waiting
local admitted = not denied and (joined or not failed)
reply[1] = (admitted and 1 or 0) + (joined and 2 or 0)

if joined then
  position, place, row = first, 2, 3
  for i = 1, counters do
    local kind, _, _, olds, more, _, _, _, _, extra = unpack_bytes(ROW, plan, position)
    if kind <= DISTINCT_FAILURES then
      reply[row], reply[row + 1], reply[row + 2] = 0, lefts[i], NOT_CHARGED
      for own = place, place + olds do
        afters[own] = false
      end
    end
    place = kind == LONG_LOG and place or place + 1 + olds
    row, position = row + 3, extra + more
  end
end

if not admitted then
  position, place, row = first, 2, 3
  for i = 1, counters do
    reply[row + 1], reply[row + 2] = lefts[i], 0
    if pending then
      local kind, _, _, olds, more, _, amount, period, burst, extra = unpack_bytes(ROW, plan, position)
      if reply[row] ~= 0 and kind <= DISTINCT_FAILURES then
        reply[row + 2] = under_way(gather(place, olds, kind, amount, period, burst), period, now)
      elseif reply[row] ~= 0 and kind == RESERVATIONS then
        reply[row + 2] = units_reserved(gather(place, olds, kind, amount, period, burst), now, amount, period)
      end
      place, position = kind == LONG_LOG and place or place + 1 + olds, extra + more
    end
    row = row + 3
  end
end

local columns = string.rep('i8', 3 * counters)
if not admitted or peeking == 1 then
  return pack('>Bd' .. columns, unpack(reply, 1, 2 + 3 * counters))
end

for place = 2, #KEYS do
  local after = afters[place]
  if place > whole and after then
    append(KEYS[place], after, drops[place], ending(now + ends[place]))
  elseif after == GONE then
    call('DEL', KEYS[place])
  elseif after then
    call('SET', KEYS[place], after, 'PXAT', ending(now + ends[place]))
  end
end
local forgotten = now + remembered
local record = pack('>dBddBd' .. columns, forgotten, OPEN, 0, 0, unpack(reply, 1, 2 + 3 * counters))
call('SET', KEYS[1], record, 'PXAT', ending(forgotten))
return sub(record, RECORD + 1)
