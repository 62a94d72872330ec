-- Settle: how an attempt ended; the twin of `settle` in `authguard/limits/engine.py`. What comes before and what it
-- returns is in `receipt.lua`.

local SUCCEEDED, FAILED = 0, 2

if phase ~= OPEN then
  return 0
end
call('SETRANGE', keys[1], 8, pack('>Bd', SETTLED, token))

-- Written at once behind the loop; `ends` says at the place of each key in `words` when it ends. Counters that the same
-- attempts charged end together, and to spell a time takes as long as to write a key.
local words, ends, size = { nil, nil, nil, nil, nil, nil, nil, nil }, { nil, nil, nil, nil, nil, nil, nil }, 0
local last, spelled
local place = 2
-- The entry that the attempt charged to logs of failures at `known`, and what becomes of it.
local known, own, instead
for _ = 1, rows do
  local kind, clears, olds, cost, period, stamp, member, next_position = unpack_bytes('>BBBddi8c7', receipt, position)
  local log = values[place] or ''
  for old = place + 1, place + olds do
    if values[old] then
      log = log == '' and values[old] or merge_logs(log, values[old], 16, now)
    end
  end
  local after = log
  if stamp ~= NOT_CHARGED and log ~= '' then
    if kind ~= FAILURE_LOG or stamp ~= known then
      local time, who = pack('>I6', stamp % RANGE), kind == FAILURE_LOG and mark or member .. '\0\0'
      known, own = kind == FAILURE_LOG and stamp, time .. '\1' .. who
      instead = outcome == FAILED and time .. '\0' .. who or ''
    end
    after = change(log, own, cost, instead)
    if outcome == FAILED and kind ~= FAILURE_LOG then
      after = prune(after)
    end
  end
  if outcome == SUCCEEDED and clears == 1 then
    after = clear(after, client)
  end
  if after ~= log then
    local gone = place
    if after ~= '' then
      -- How far the last entry lies ahead of now; behind it, that far below 0.
      local ahead = (unpack_bytes('>I6', after, #after - 15) - now) % RANGE
      ahead = ahead < HALF and ahead or ahead - RANGE
      local lasts = max(1, period + ahead)
      if lasts ~= last then
        last, spelled = lasts, ending(now + lasts)
      end
      words[size + 1], words[size + 2], ends[size + 1] = keys[place], after, spelled
      size, gone = size + 2, place + 1
    end
    if gone <= place + olds then
      call('DEL', unpack(keys, gone, place + olds))
    end
  end
  position, place = next_position, place + 1 + olds
end
if size > 0 then
  -- MSET takes the ends of keys away, but nobody sees a key before the script is over.
  call('MSET', unpack(words, 1, size))
  for word = 1, size, 2 do
    call('PEXPIREAT', words[word], ends[word])
  end
end
return 1
