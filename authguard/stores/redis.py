"""The Redis store: counters shared by machines. Each decision is one script call in one round trip."""

from __future__ import annotations

import time
from collections.abc import Sequence

from authguard.errors import StoreUnavailable
from authguard.limits import Decision, Outcome, Plan, Receipt
from authguard.limits.decision import Reply, new
from authguard.limits.nonce import draw_nonce
from authguard.limits.plan import KEY_SIZE
from authguard.stores.base import DEADLINE
from authguard.stores.redis_check import RedisFinding, check_redis
from authguard.stores.redis_packing import pack_plan, unpack_reply
from authguard.stores.redis_receipt import TOKEN_SIZE, pack_receipt
from authguard.stores.redis_route import RedisRoute
from authguard.stores.redis_script import Scripts
from authguard.stores.redis_topology import Servers, servers_of
from authguard.stores.redis_url import RedisURL
from authguard.stores.redis_wire import CallPacker, pack


class RedisStore:
    """Decides and settles in Lua, by the server's clock, with one connection for each thread that asks."""

    def __init__(self, servers: Servers, tag: bytes, deadline: int = DEADLINE, scripts: Scripts | None = None) -> None:
        self._tag = tag
        self._calls = CallPacker(tag, KEY_SIZE)
        self._seconds = deadline / 1_000_000
        self._scripts = scripts or Scripts.load()
        self._route = RedisRoute(servers)

    @classmethod
    def from_url(cls, url: str, *, deadline: int = DEADLINE, scripts: Scripts | None = None) -> RedisStore:
        """Return the store that ``url`` names; see :meth:`~authguard.stores.redis_url.RedisURL.parse`.

        Nothing is sent yet; :meth:`check` looks whether the server will do.
        ``deadline`` is in microseconds. Raises ``ConfigurationError`` with one sentence.
        """
        parsed = RedisURL.parse(url)
        return cls(servers_of(parsed), parsed.tag, deadline, scripts)

    def decide(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`."""
        return new(Decision, (plan, self._decide(plan, peeking=False)))

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """See :class:`~authguard.stores.base.Store`. A call that the connection fails is made once more."""
        until = time.monotonic() + self._seconds
        script, token = self._scripts.settle(outcome), int.from_bytes(draw_nonce()[:TOKEN_SIZE])
        keys, packed = pack_receipt(receipt, outcome, token)
        command = self._calls.pack(script.sha, keys, packed)
        try:
            answer = self._route.ask(command, until, script)
        except StoreUnavailable:
            answer = self._route.ask(command, until, script)
        return bool(answer == 1)

    def peek(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`."""
        return Decision(plan, self._decide(plan, peeking=True))

    def forget(self, keys: Sequence[bytes]) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        if not keys:
            return 0
        return int(self._route.ask(pack(b"DEL", *(self._tag + key for key in keys)), time.monotonic() + self._seconds))

    def now(self) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        seconds, microseconds = self._route.ask(pack(b"TIME"), time.monotonic() + self._seconds)
        return int(seconds) * 1_000_000 + int(microseconds)

    def check(self) -> tuple[RedisFinding, ...]:
        """Return what speaks against this server, from its version to its memory policy; nothing when all is well."""
        return check_redis(self, self._route)

    def close(self) -> None:
        """Close every connection that is idle, and the others as they come back."""
        self._route.close()

    def _decide(self, plan: Plan, *, peeking: bool) -> Reply:
        until = time.monotonic() + self._seconds
        kinds, keys, packed = pack_plan(plan, peeking=peeking)
        script = self._scripts.decide(kinds)
        answer = self._route.ask(self._calls.pack(script.sha, keys, packed), until, script)
        return unpack_reply(answer, len(plan.counters))
