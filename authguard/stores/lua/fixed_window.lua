-- Fixed window: the twin of `authguard/limits/fixed_window.py`.

local floor = math.floor

local function read(state, amount, period, now)
  if #state ~= 16 then
    return now, state ~= '' and amount or 0
  end
  local last, used = unpack_bytes('>I8I8', state)
  if now <= last then
    return last, used
  end
  return now, floor(now / period) == floor(last / period) and used or 0
end

local function count(state, now, cost, amount, period)
  local at, used = read(state, amount, period, now)
  local left, ends = max(0, amount - used), at - at % period + period
  if cost > left then
    return cost > amount and NEVER or ends - now, left, NOT_CHARGED, left
  end
  return 0, left, at, left - cost, pack('>I8I8', at, used + cost), max(1, ends - now)
end

local function merge(one, other, _, amount, period)
  local at = max((read(one, amount, period, 0)), (read(other, amount, period, 0)))
  local _, used = read(one, amount, period, at)
  local _, more = read(other, amount, period, at)
  return pack('>I8I8', at, used + more)
end

local FIXED_WINDOW = 6
counts[FIXED_WINDOW], merges[FIXED_WINDOW] = count, merge
