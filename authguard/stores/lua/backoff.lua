-- Backoff: the twin of `authguard/limits/backoff.py`. The gaps stand in the packed plan, behind their counter.

local min = math.min

local function read(state, period, gaps, now)
  if #state ~= 16 then
    return state ~= '' and gaps or 0, state ~= '' and now or 0
  end
  local charges, last = unpack_bytes('>I8I8', state)
  if now - last >= 2 * period then
    return 0, 0
  end
  return charges, last
end

local function gap(charges, gaps, position)
  return charges == 0 and 0 or (unpack_bytes('>d', plan, position + min(charges, gaps - 1) * 8))
end

local function count(state, now, cost, _, period, gaps, position)
  local charges, last = read(state, period, gaps, now)
  local at, opens = max(now, last), last + gap(charges, gaps, position)
  local left = opens <= at and 1 or 0
  if cost > 1 then
    return NEVER, left, NOT_CHARGED, left
  end
  if left == 0 then
    return opens - now, left, NOT_CHARGED, left
  end
  charges = charges + 1
  local then_left = gap(charges, gaps, position) == 0 and 1 or 0
  return 0, left, at, then_left, pack('>I8I8', charges, at), at + 2 * period - now
end

local function merge(one, other, now, _, period, gaps)
  local charges, last = read(one, period, gaps, now)
  local more, later = read(other, period, gaps, now)
  return pack('>I8I8', charges + more, max(last, later))
end

local BACKOFF = 9
counts[BACKOFF], merges[BACKOFF] = count, merge
