"""Stopped clock: the store's scripts, made to live in a time that the test sets.

The real scripts run, on a real server; only their way to the server is another. Its ``call`` takes the time from a
key and keeps lifetimes, to the microsecond, in a hash.
"""

from __future__ import annotations

import redis

from authguard.clock import ManualClock
from authguard.stores.redis import RedisStore
from authguard.stores.redis_script import Scripts

CLOCK = "{ag}clock"
"""The key that holds the time; the hash ``{ag}expiries`` holds when each key ends."""
CALL = """
local function clock()
  return tonumber(redis.call('GET', '{ag}clock'))
end

local function ending(at)
  return at
end

local function call(command, ...)
  local words = {...}
  if words[3] == 'PXAT' then
    redis.call('HSET', '{ag}expiries', words[1], string.format('%.0f', words[4]))
    words[3], words[4] = nil, nil
  elseif command == 'PEXPIREAT' then
    return redis.call('HSET', '{ag}expiries', words[1], string.format('%.0f', words[2]))
  end
  return redis.call(command, unpack(words))
end
"""
BURY = """
local left = redis.call('HGETALL', '{ag}expiries')
for i = 1, #left, 2 do
  if tonumber(left[i + 1]) <= tonumber(ARGV[1]) then
    redis.call('DEL', left[i])
    redis.call('HDEL', '{ag}expiries', left[i])
  end
end
redis.call('SET', '{ag}clock', ARGV[1])
"""


class StoppedRedis(RedisStore):
    """A Redis store whose server's time is that of ``clock``."""

    clock: ManualClock
    client: redis.Redis

    @classmethod
    def at(cls, url: str, clock: ManualClock, client: redis.Redis) -> StoppedRedis:
        """Return a store at ``url`` that lives in the time of ``clock``."""
        store = cls.from_url(url, deadline=5_000_000, scripts=Scripts.load({"clock": CALL}))
        assert isinstance(store, StoppedRedis)
        store.clock, store.client = clock, client
        return store

    def tell(self) -> None:
        """Set the server's time; what has outlived its lifetime is gone for good, even when time steps back."""
        self.client.eval(BURY, 0, self.clock.now())
