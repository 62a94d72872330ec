-- Budget: the twin of `count` in `authguard/limits/budget.py`. `hold` is packed in the burst's place; 0: spent at once.

local function count(state, now, cost, amount, period, hold)
  local at, spent, reserved = read_book(state, amount, period, now)
  local leaves, taken = leaves_of(period, spent, reserved), 0
  for _, each in ipairs(leaves) do
    taken = taken + each[2]
  end
  local left = max(0, amount - taken)
  if cost > amount then
    return NEVER, left
  end
  local surplus = taken + cost - amount
  if surplus > 0 then
    for _, each in ipairs(leaves) do
      surplus = surplus - each[2]
      if surplus <= 0 then
        return each[1] - now, left
      end
    end
  end
  if hold > 0 then
    reserved[#reserved + 1] = { at + hold, sub(KEYS[1], -16, -10), cost }
  else
    spend(spent, bucket_of(period, at), cost)
  end
  return 0, left, at, pack_book(at, spent, reserved), book_lifetime(period, spent, reserved, now), left - cost
end

return count, merge_books
