-- Leaky bucket: the twin of `authguard/limits/leaky_bucket.py`; of the token bucket, which is its mirror; and of GCRA,
-- which is packed as a bucket that leaks one unit a microsecond. `unit` is the level that one unit of cost makes.

local ceil, floor, min = math.ceil, math.floor, math.min

local function read(state, rate, unit, burst, now)
  if #state ~= 24 then
    return now, state ~= '' and burst * unit or 0
  end
  local level, last, was = unpack_bytes('>I8I8I8', state)
  if was ~= unit then
    level = was > 0 and min(ceil(level / was), burst) * unit or burst * unit
  end
  level = min(level, burst * unit)
  if now <= last then
    return last, level
  end
  return now, max(0, level - (now - last) * rate)
end

local function count(state, now, cost, rate, unit, burst)
  local at, level = read(state, rate, unit, burst, now)
  local room = burst * unit - level
  local left = floor(room / unit)
  if cost > left then
    return cost > burst and NEVER or at - now - floor((room - cost * unit) / rate), left, NOT_CHARGED, left
  end
  level = level + cost * unit
  local empty = at + ceil(level / rate)
  return 0, left, at, left - cost, pack('>I8I8I8', level, at, unit), max(1, empty - now)
end

local function merge(one, other, _, rate, unit, burst)
  local at = max((read(one, rate, unit, burst, 0)), (read(other, rate, unit, burst, 0)))
  local _, level = read(one, rate, unit, burst, at)
  local _, more = read(other, rate, unit, burst, at)
  return pack('>I8I8I8', min(level + more, burst * unit), at, unit)
end

local LEAKY_BUCKET = 8
counts[LEAKY_BUCKET], merges[LEAKY_BUCKET] = count, merge
