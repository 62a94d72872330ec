-- Sliding counter: the twin of `authguard/limits/sliding_counter.py`.

local ceil, floor, min = math.ceil, math.floor, math.min

local function read(state, amount, period, now)
  if #state ~= 32 then
    return now, state ~= '' and amount or 0, 0
  end
  local was, last, curr, prev = unpack_bytes('>I8I8I8I8', state)
  if was ~= period then
    curr, prev = min(curr + prev, amount), 0
  end
  if now <= last then
    return last, curr, prev
  end
  local passed = floor(now / period) - floor(last / period)
  if passed == 0 then
    return now, curr, prev
  end
  return now, 0, passed == 1 and curr or 0
end

local function room(amount, period, at, curr, prev)
  return max(0, amount - curr - ceil(prev * (period - at % period) / period))
end

local function opens(cost, amount, period, at, curr, prev)
  local ends = at - at % period + period
  local spare = amount - curr - cost
  if spare >= 0 then
    return ends - floor(spare * period / prev)
  end
  return ends + period - floor((amount - cost) * period / curr)
end

local function count(state, now, cost, amount, period)
  local at, curr, prev = read(state, amount, period, now)
  local left = room(amount, period, at, curr, prev)
  if cost > left then
    return cost > amount and NEVER or opens(cost, amount, period, at, curr, prev) - now, left, NOT_CHARGED, left
  end
  curr = curr + cost
  local ends = at - at % period + 2 * period
  local then_left = room(amount, period, at, curr, prev)
  return 0, left, at, then_left, pack('>I8I8I8I8', period, at, curr, prev), max(1, ends - now)
end

local function merge(one, other, _, amount, period)
  local at = max((read(one, amount, period, 0)), (read(other, amount, period, 0)))
  local _, curr, prev = read(one, amount, period, at)
  local _, more, before = read(other, amount, period, at)
  return pack('>I8I8I8I8', period, at, min(curr + more, amount), min(prev + before, amount))
end

local SLIDING_COUNTER = 7
counts[SLIDING_COUNTER], merges[SLIDING_COUNTER] = count, merge
