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
-- The state of a key that is to be deleted.
local GONE = ''
-- The reply: flags, the time, and what is left in each counter if the plan is admitted; `lefts` is that if it is not.
-- `waits` has those that aren't 0. Tables begin with room for a few counters: to let them grow costs more than to fill
-- them.
local reply, waits = { 0, now, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil }, {}
local lefts = { nil, nil, nil, nil, nil, nil }
-- Whether every counter is charged now, and the stamps of those that are charged otherwise though they have room.
local plain, stamps = true, nil
-- From here on `values` is what the key at each place of KEYS becomes, or is appended to it where that is a long log;
-- false where it stays as it is. `lifetimes` says for how long.
local lifetimes = { nil, nil, nil, nil, nil, nil }

-- Whether counters of attempts or of failures deny, how long the former do, for how long the guess stands still, and
-- whether what is full may be so because of charges under way.
local denied, failed, waiting, stands, pending = false, false, 0, 0, false
local first, place, long = position, 2, whole
-- The time that was packed last, as the entry of a log.
local packed, entry

for i = 1, counters do
  local kind, looks, joins, olds, more, cost, amount, period, burst, extra = unpack_bytes(ROW, plan, position)
  local state, wait, left, stamp, then_left, after, lifetime = values[place] or '', 0
  if olds > 0 then
    state = gather(place, olds, kind, amount, period, burst)
  end
  if kind == SLIDING_LOG or kind == FAILURE_LOG then
    local size = kind == SLIDING_LOG and 6 or 16
    local at, entries, gone = now, #state / size, 0
    if entries > 0 then
      local ahead = (unpack_bytes('>I6', state, #state - size + 1) - now) % RANGE
      if ahead < HALF then
        at = now + ahead
      end
      if (at - unpack_bytes('>I6', state)) % RANGE >= period then
        gone = expired(state, size, period, at)
      end
    end
    left = amount - entries + gone
    if left < 0 then
      left = 0
    end
    if cost <= left then
      if at ~= packed then
        packed = at
        entry = pack('>I6', at % RANGE)
      end
      after = entry
      if kind == FAILURE_LOG then
        after = entry .. '\1' .. mark
      end
      if cost > 1 then
        after = string.rep(after, cost)
      end
      after = (gone > 0 and sub(state, gone * size + 1) or state) .. after
      stamp = at
      then_left = left - cost
      lifetime = period + at - now
    else
      wait, stamp, then_left = NEVER, NOT_CHARGED, left
      if cost <= amount then
        local goes = unpack_bytes('>I6', state, (entries + cost - amount - 1) * size + 1)
        wait = period - (at - goes) % RANGE + at - now
      end
    end
    if joins == 1 then
      stands = max(stands, stands_for(state, period, now))
    end
  elseif kind == LONG_LOG then
    long = long + 1
    wait, left, stamp, then_left, after, lifetime, drops[long] = count_long(keys[long], now, cost, amount, period)
  else
    wait, left, stamp, then_left, after, lifetime =
      counts[kind](state, now, cost, amount, period, burst, extra, kind)
  end
  if wait ~= 0 then
    waits[i] = wait
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
  if stamp ~= now then
    plain = false
    if wait == 0 then
      stamps = stamps or {}
      stamps[i] = stamp
    end
  end
  reply[i + 2] = then_left
  lefts[i] = left
  position = extra + more
  if kind == LONG_LOG then
    values[long] = after or false
    lifetimes[long] = lifetime
  else
    values[place] = after or false
    lifetimes[place] = lifetime
    place = place + 1
    for _ = 1, olds do
      values[place] = after and GONE or false
      place = place + 1
    end
  end
end

-- A guess joins a charge that will still stand when the counters of attempts admit the plan.
local joined = stands > waiting
local admitted = not denied and (joined or not failed)

if joined then
  position, place, plain, stamps = first, 2, false, stamps or {}
  for i = 1, counters do
    local kind, _, _, olds, more, _, _, _, _, extra = unpack_bytes(ROW, plan, position)
    if kind <= DISTINCT_FAILURES then
      reply[i + 2], waits[i], stamps[i] = lefts[i], nil, NOT_CHARGED
      for own = place, place + olds do
        values[own] = false
      end
    end
    place, position = kind == LONG_LOG and place or place + 1 + olds, extra + more
  end
end

-- Charges under way, of what is full.
local under
if not admitted and pending then
  under = {}
  -- What stands under the keys: nothing has been written.
  values, position, place = call('MGET', unpack(keys, 1, whole)), first, 2
  for i = 1, counters do
    local kind, _, _, olds, more, _, amount, period, burst, extra = unpack_bytes(ROW, plan, position)
    if waits[i] and kind <= DISTINCT_FAILURES then
      under[i] = under_way(gather(place, olds, kind, amount, period, burst), period, now)
    elseif waits[i] and kind == RESERVATIONS then
      under[i] = units_reserved(gather(place, olds, kind, amount, period, burst), now, amount, period)
    end
    place, position = kind == LONG_LOG and place or place + 1 + olds, extra + more
  end
end

-- A plan whose every counter is charged now has no more to say than what is left.
local columns = counters
if not plain or not admitted then
  columns = 3 * counters
  for i = 1, counters do
    local last
    if admitted then
      last = stamps and stamps[i] or waits[i] and NOT_CHARGED or now
    else
      last, reply[i + 2] = under and under[i] or 0, lefts[i]
    end
    reply[i + 2 + counters], reply[i + 2 + 2 * counters] = waits[i] or 0, last
  end
end
reply[1] = (admitted and 1 or 0) + (joined and 2 or 0)
local format = string.rep('i8', columns)
if not admitted or peeking == 1 then
  return pack('>Bd' .. format, unpack(reply, 1, 2 + columns))
end

local forgotten = now + remembered
local record = pack('>dBddHBd' .. format, forgotten, OPEN, 0, 0, counters, unpack(reply, 1, 2 + columns))

-- All that is written whole is written at once, since a command costs more to be called than to be done. MSET takes the
-- ends of keys away, but nobody sees a key before the script is over.
local words, size = { keys[1], record, nil, nil, nil, nil, nil, nil, nil, nil }, 2
for place = 2, whole do
  local after = values[place]
  if after == GONE then
    call('DEL', keys[place])
  elseif after then
    words[size + 1] = keys[place]
    words[size + 2] = after
    size = size + 2
  end
end
call('MSET', unpack(words, 1, size))
call('PEXPIREAT', keys[1], ending(forgotten))

-- Counters of one period mostly end together, and to spell a time takes as long as to write a key.
local lasts, ends
for place = 2, long do
  local after = values[place]
  if after and after ~= GONE then
    if lifetimes[place] ~= lasts then
      lasts = lifetimes[place]
      ends = ending(now + lasts)
    end
    if place > whole then
      append(keys[place], after, drops[place], ends)
    else
      call('PEXPIREAT', keys[place], ends)
    end
  end
end
return sub(record, RECORD + 1)
