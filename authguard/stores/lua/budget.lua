-- Budget: the twin of the public half of `authguard/limits/budget.py`; books are in `books.lua`.

local function count(state, now, cost, amount, period, _, _, kind)
  -- For how long a charge is reserved; 0: it is spent at once.
  local reserving = kind == RESERVATIONS and hold or 0
  local at, spent, reserved = read_book(state, now, amount, period)
  local leaves, taken = leaves_of(spent, reserved, period), 0
  for _, each in ipairs(leaves) do
    taken = taken + each[2]
  end
  local left = max(0, amount - taken)
  if cost > left then
    local surplus, wait = taken + cost - amount, NEVER
    for _, each in ipairs(cost <= amount and leaves or {}) do
      surplus = surplus - each[2]
      if surplus <= 0 then
        wait = each[1] - now
        break
      end
    end
    return wait, left, NOT_CHARGED, left
  end
  if reserving > 0 then
    reserved[#reserved + 1] = { at + reserving, sub(KEYS[1], -16, -10), cost }
  else
    spend(spent, bucket_of(at, period), cost)
  end
  return 0, left, at, left - cost, pack_book(at, spent, reserved), lifetime_of(spent, reserved, now, period)
end

local function units_reserved(state, now, amount, period)
  local _, _, reserved = read_book(state, now, amount, period)
  local units = 0
  for _, each in ipairs(reserved) do
    units = units + each[3]
  end
  return units
end

local BUDGET = 10
counts[BUDGET], merges[BUDGET] = count, merge_books
counts[RESERVATIONS], merges[RESERVATIONS] = count, merge_books
