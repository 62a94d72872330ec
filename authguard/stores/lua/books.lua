-- Books: what a budget's state says; the twin of the private half of `authguard/limits/budget.py`.
--
-- A book is the effective time, what was spent (bucket and units, the oldest first), and what is reserved (expiry, tag
-- and units, as they came).

local function bucket_of(at, period)
  local width = math.ceil(period / 60)
  return at - at % width + width - 1
end

-- Adds units to a bucket.
local function spend(spent, bucket, units)
  local place = 1
  while spent[place] and spent[place][1] < bucket do
    place = place + 1
  end
  if spent[place] and spent[place][1] == bucket then
    spent[place][2] = spent[place][2] + units
  else
    table.insert(spent, place, { bucket, units })
  end
end

local function read_book(state, now, amount, period)
  if state == '' then
    return now, {}, {}
  end
  local reservations = #state < 10 and 10 or 10 + 16 * unpack_bytes('>H', state, 9)
  if #state < reservations or (#state - reservations) % 23 ~= 0 then
    return now, { { bucket_of(now, period), amount } }, {}
  end
  local at, spent, reserved = max(now, (unpack_bytes('>I8', state))), {}, {}
  for position = 11, reservations, 16 do
    local bucket, units = unpack_bytes('>I8I8', state, position)
    if at < bucket + period then
      spent[#spent + 1] = { bucket, units }
    end
  end
  for position = reservations + 1, #state, 23 do
    local expires, tag, units = unpack_bytes('>I8c7I8', state, position)
    if at < expires then
      reserved[#reserved + 1] = { expires, tag, units }
    end
  end
  return at, spent, reserved
end

local function pack_book(at, spent, reserved)
  local parts = { pack('>I8H', at, #spent) }
  for _, each in ipairs(spent) do
    parts[#parts + 1] = pack('>I8I8', each[1], each[2])
  end
  for _, each in ipairs(reserved) do
    parts[#parts + 1] = pack('>I8c7I8', each[1], each[2], each[3])
  end
  return table.concat(parts)
end

-- Returns when units count no longer, and how many, the earliest first.
local function leaves_of(spent, reserved, period)
  local leaves = {}
  for _, each in ipairs(spent) do
    leaves[#leaves + 1] = { each[1] + period, each[2] }
  end
  for _, each in ipairs(reserved) do
    leaves[#leaves + 1] = { each[1], each[3] }
  end
  table.sort(leaves, function(a, b) return a[1] < b[1] end)
  return leaves
end

-- Returns for how many microseconds, at least 1, a book that isn't empty still says something.
local function lifetime_of(spent, reserved, now, period)
  local leaves = leaves_of(spent, reserved, period)
  return max(1, leaves[#leaves][1] - now)
end

local function merge_books(one, other, now, amount, period)
  local at, spent, reserved = read_book(one, now, amount, period)
  local later, more, others = read_book(other, now, amount, period)
  for _, each in ipairs(more) do
    spend(spent, each[1], each[2])
  end
  for _, each in ipairs(others) do
    reserved[#reserved + 1] = each
  end
  return pack_book(max(at, later), spent, reserved)
end
