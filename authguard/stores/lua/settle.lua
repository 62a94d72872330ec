-- Settle: ends an attempt once; the twin of `settle` in `authguard/limits/engine.py`.
--
-- KEYS[1] is the plan's nonce, then the key of each counter of failures, its previous keys behind it. ARGV[1] is the
-- receipt as `redis_packing.py` packs it. Returns 1 when this call settled the attempt, else 0. A repetition of the
-- same call, told by its token, returns what the first returned.

local SUCCEEDED, FAILED = 0, 2

local receipt = ARGV[1]
local outcome, counters, client, mark, token, position = unpack_bytes('>BHc7c9d', receipt)
local values, now = call('MGET', unpack(KEYS)), clock()

if not values[1] then
  return 0
end
local expires, settled, by = unpack_bytes('>dBd', values[1])
if expires <= now or settled == 1 then
  return settled == 1 and by == token and 1 or 0
end
call('SETRANGE', KEYS[1], 8, pack('>Bd', 1, token))

local place = 2
for _ = 1, counters do
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
    call('DEL', unpack(KEYS, place, place + olds))
    if after ~= '' then
      local at = effective(after, 16, now)
      local age = (at - unpack_bytes('>I6', after, #after - 15)) % RANGE
      call('SET', KEYS[place], after, 'PXAT', ending(max(now + 1, at + period - age)))
    end
  end
  position, place = next_position, place + 1 + olds
end
return 1
