-- Locate: returns where the first entry of 16 bytes begins, from `position` on, in which `text` stands `offset` bytes in.
-- Nil where there is none; `text` may stand elsewhere too, where it is a piece of something else.
local function locate(log, text, offset, position)
  local found = string.find(log, text, position + offset, true)
  while found and (found - offset - 1) % 16 ~= 0 do
    found = string.find(log, text, found + 1, true)
  end
  return found and found - offset
end

