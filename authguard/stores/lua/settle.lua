-- Settle: what becomes of an admitted plan; the twin of `settle` in `authguard/limits/record.py`, and of that in
-- `authguard/limits/engine.py`.
--
-- KEYS[1] is the plan's nonce, then the key of each counter that the outcome touches, its previous keys behind it.
-- ARGV[1] is the receipt as `redis_receipt.py` packs it. Returns 1 when this call settled the plan, else 0. A
-- repetition of the same call, told by its token, returns what the first returned.

-- Returns what the outcome makes of a plan in this phase; nil where it comes too late, twice or out of turn.
local function step()
  if outcome <= FAILED then
    return phase == OPEN and SETTLED or nil
  elseif outcome == DISPATCH then
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

local after = step()
local is_for = (at == 0 or at == decided) and #values[1] == RECORD + 9 + 24 * counters
if expires <= now or not after or not is_for then
  return 0
end
if outcome > FAILED and not moves()(dispatched) then
  return 0
end
if outcome == DISPATCH then
  expires = max(expires, now + kept)
  local record = pack('>dBdd', expires, after, token, now) .. sub(values[1], RECORD + 1)
  call('SET', KEYS[1], record, 'PXAT', ending(expires))
else
  call('SETRANGE', KEYS[1], 8, pack('>Bd', after, token))
end
if outcome > FAILED then
  return 1
end

local place = 2
for _ = 1, rows do
  local kind, clears, olds, cost, period, stamp, member, next_position = unpack_bytes('>BBBddi8c7', receipt, position)
  local log = values[place] or ''
  for old = place + 1, place + olds do
    if values[old] then
      log = log == '' and values[old] or merge_logs(log, values[old], 16, now)
    end
  end
  local after = log
  if stamp ~= NOT_CHARGED then
    local time, who = pack('>I6', stamp % RANGE), kind == FAILURE_LOG and mark or member .. '\0\0'
    after = change(log, time .. '\1' .. who, cost, outcome == FAILED and time .. '\0' .. who or '')
    if outcome == FAILED and kind ~= FAILURE_LOG then
      after = entries().prune(after)
    end
  end
  if outcome == SUCCEEDED and clears == 1 then
    after = clear(after, client)
  end
  if after ~= log then
    local gone = place
    if after ~= '' then
      local at = effective(after, 16, now)
      local age = (at - unpack_bytes('>I6', after, #after - 15)) % RANGE
      call('SET', KEYS[place], after, 'PXAT', ending(max(now + 1, at + period - age)))
      gone = place + 1
    end
    if gone <= place + olds then
      call('DEL', unpack(KEYS, gone, place + olds))
    end
  end
  position, place = next_position, place + 1 + olds
end
return 1
