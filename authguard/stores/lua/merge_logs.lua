-- Merge logs: returns the log in which the entries of both stand.
local function merge_logs(one, other, size, now)
  local function age(log, position)
    return (now + HALF - unpack_bytes('>I6', log, position)) % RANGE
  end
  local merged, i, j = {}, 1, 1
  while i < #one and j < #other do
    if age(one, i) >= age(other, j) then
      merged[#merged + 1] = sub(one, i, i + size - 1)
      i = i + size
    else
      merged[#merged + 1] = sub(other, j, j + size - 1)
      j = j + size
    end
  end
  return table.concat(merged) .. sub(one, i) .. sub(other, j)
end
