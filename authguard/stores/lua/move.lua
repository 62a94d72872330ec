-- Move: what becomes of a plan's reservations; the twin of `settle` in `authguard/limits/record.py`. What comes before
-- and what it returns is in `receipt.lua`.

local DISPATCH, COMMIT, RELEASE, CANCEL = 3, 4, 5, 6
local DISPATCHING, COMMITTED = 2, 3

-- Returns what the outcome makes of a plan in this phase; nil where it comes too late, twice or out of turn.
local function step()
  if outcome == DISPATCH then
    return phase == OPEN and now < decided + hold and DISPATCHING or nil
  elseif outcome == CANCEL then
    return phase == OPEN and RELEASED or nil
  elseif outcome == COMMIT then
    return phase == DISPATCHING and COMMITTED or nil
  elseif outcome == RELEASE then
    return phase == DISPATCHING and RELEASED or nil
  end
  return (phase == DISPATCHING or phase == COMMITTED) and SETTLED or nil
end

-- Takes a reservation out of a list of them; returns whether it was there.
local function take_reserved(reserved, expires, tag, units)
  for place, each in ipairs(reserved) do
    if each[1] == expires and each[2] == tag and each[3] == units then
      table.remove(reserved, place)
      return true
    end
  end
  return false
end

-- Takes units out of a bucket; returns whether there were any.
local function take_spent(spent, bucket, units)
  for place, each in ipairs(spent) do
    if each[1] == bucket then
      each[2] = each[2] - units
      if each[2] <= 0 then
        table.remove(spent, place)
      end
      return true
    end
  end
  return false
end

-- Returns false, having written nothing, when a reservation that is to be spent stands no longer.
local function move()
  local changes, place = {}, 2
  for _ = 1, rows do
    local olds, cost, amount, period, stamp, next_position = unpack_bytes('>Bdddi8', receipt, position)
    local state = values[place] or ''
    for old = place + 1, place + olds do
      if values[old] then
        state = state == '' and values[old] or merge_books(state, values[old], now, amount, period)
      end
    end
    if stamp ~= NOT_CHARGED then
      local at, spent, reserved = read_book(state, now, amount, period)
      local moved
      if outcome == DISPATCH or outcome == CANCEL then
        moved = take_reserved(reserved, stamp + hold, sub(keys[1], -16, -10), cost)
      else
        moved = take_spent(spent, bucket_of(dispatched, period), cost)
      end
      if outcome == DISPATCH then
        if not moved then
          return false
        end
        spend(spent, bucket_of(at, period), cost)
      end
      if moved then
        changes[#changes + 1] = { place, place + olds, period, at, spent, reserved }
      end
    end
    position, place = next_position, place + 1 + olds
  end
  for _, change in ipairs(changes) do
    local first, last, period, at, spent, reserved = unpack(change)
    call('DEL', unpack(keys, first, last))
    if #spent + #reserved > 0 then
      local ends = now + lifetime_of(spent, reserved, now, period)
      call('SET', keys[first], pack_book(at, spent, reserved), 'PXAT', ending(ends))
    end
  end
  return true
end

local after = step()
if not after or not move() then
  return 0
end
if outcome == DISPATCH then
  expires = max(expires, now + kept)
  local record = pack('>dBddH', expires, after, token, now, counters) .. sub(values[1], RECORD + 1)
  call('SET', keys[1], record, 'PXAT', ending(expires))
else
  call('SETRANGE', keys[1], 8, pack('>Bd', after, token))
end
return 1
