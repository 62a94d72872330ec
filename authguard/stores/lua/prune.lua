-- Prune: returns the log without failed entries that a later failed one of the same tag makes void.
local function prune(log)
  local kept, seen = {}, {}
  for position = #log - 15, 1, -16 do
    local flag, tag = unpack_bytes('>Bc7', log, position + 6)
    if flag == 1 or not seen[tag] then
      kept[#kept + 1] = position
    end
    seen[tag] = seen[tag] or flag == 0
  end
  local pruned = {}
  for index = #kept, 1, -1 do
    pruned[#pruned + 1] = sub(log, kept[index], kept[index] + 15)
  end
  return table.concat(pruned)
end
