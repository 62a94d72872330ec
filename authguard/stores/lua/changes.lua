-- Changes: what settling does to a log whose entries have 16 bytes.

-- Returns the log in which the first `most` entries that equal `own` have become `instead`.
local function change(log, own, most, instead)
  local found = locate(log, own, 0, 1)
  if most == 1 then
    return found and sub(log, 1, found - 1) .. instead .. sub(log, found + 16) or log
  end
  local parts, position = {}, 1
  while found and #parts < most do
    parts[#parts + 1] = sub(log, position, found - 1) .. instead
    position = found + 16
    found = locate(log, own, 0, position)
  end
  return table.concat(parts) .. sub(log, position)
end

-- Returns the log without any entry of `tag`: one client on one account.
local function clear(log, tag)
  local parts, position = {}, 1
  local found = locate(log, tag, 7, position)
  while found do
    parts[#parts + 1] = sub(log, position, found - 1)
    position = found + 16
    found = locate(log, tag, 7, position)
  end
  return position == 1 and log or table.concat(parts) .. sub(log, position)
end
