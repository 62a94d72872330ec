"""The Redis store: counters shared by machines. Each decision is one script call in one round trip."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any

from authguard.errors import StoreUnavailable
from authguard.limits import Decision, Outcome, Plan, Receipt
from authguard.limits.decision import Reply
from authguard.stores.base import DEADLINE
from authguard.stores.redis_connection import RedisConnection, Refusal, pack
from authguard.stores.redis_packing import TOKEN_SIZE, pack_plan, pack_receipt, plan_keys, settled_keys, unpack_reply
from authguard.stores.redis_pool import ConnectionPool
from authguard.stores.redis_script import Script, Scripts
from authguard.stores.redis_topology import Servers, servers_of
from authguard.stores.redis_url import RedisURL


class RedisStore:
    """Decides and settles in Lua, by the server's clock, with one connection for each thread that asks."""

    def __init__(self, servers: Servers, tag: bytes, deadline: int = DEADLINE, scripts: Scripts | None = None) -> None:
        self._servers = servers
        self._tag = tag
        self._seconds = deadline / 1_000_000
        self._scripts = scripts or Scripts.load()
        self._pool = ConnectionPool(servers.open)

    @classmethod
    def from_url(cls, url: str, *, deadline: int = DEADLINE, scripts: Scripts | None = None) -> RedisStore:
        """Return the store that ``url`` names; see :meth:`~authguard.stores.redis_url.RedisURL.parse`.

        Nothing is sent yet; :func:`~authguard.stores.redis_check.check_redis` looks whether the server will do.
        ``deadline`` is in microseconds. Raises ``ConfigurationError`` with one sentence.
        """
        parsed = RedisURL.parse(url)
        return cls(servers_of(parsed), parsed.tag, deadline, scripts)

    def decide(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`."""
        return Decision(plan, self._decide(plan, peeking=False))

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """See :class:`~authguard.stores.base.Store`. A call that the connection fails is made once more."""
        until = time.monotonic() + self._seconds
        keys = settled_keys(receipt.plan, self._tag)
        packed = pack_receipt(receipt, outcome, secrets.token_bytes(TOKEN_SIZE))
        try:
            answer = self._run(self._scripts.settle, keys, packed, until)
        except StoreUnavailable:
            answer = self._run(self._scripts.settle, keys, packed, until)
        return bool(answer == 1)

    def peek(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`."""
        return Decision(plan, self._decide(plan, peeking=True))

    def forget(self, keys: Sequence[bytes]) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        if not keys:
            return 0
        return int(self._ask(pack(b"DEL", *(self._tag + key for key in keys)), time.monotonic() + self._seconds))

    def now(self) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        seconds, microseconds = self._ask(pack(b"TIME"), time.monotonic() + self._seconds)
        return int(seconds) * 1_000_000 + int(microseconds)

    def close(self) -> None:
        """Close every connection that is idle, and the others as they come back."""
        self._pool.close()

    def _decide(self, plan: Plan, *, peeking: bool) -> Reply:
        until = time.monotonic() + self._seconds
        packed = pack_plan(plan, peeking=peeking)
        return unpack_reply(self._run(self._scripts.decide, plan_keys(plan, self._tag), packed, until))

    def _run(self, script: Script, keys: list[bytes], packed: bytes, until: float) -> Any:
        return self._ask(pack(b"EVALSHA", script.sha, len(keys), *keys, packed), until, script)

    def _ask(self, command: bytes, until: float, script: Script | None = None) -> Any:
        connection = self._pool.take(until)
        answer = self._answer(connection, command, until)
        if isinstance(answer, Refusal) and answer.code == "NOSCRIPT" and script is not None:
            # Nothing ran: this is the one refusal after which a repetition can't charge twice.
            self._answer(connection, pack(b"SCRIPT", b"LOAD", script.source), until)
            answer = self._answer(connection, command, until)
        self._pool.give(connection)
        if isinstance(answer, Refusal):
            raise StoreUnavailable(f"Redis refused: {answer}")
        return answer

    def _answer(self, connection: RedisConnection, command: bytes, until: float) -> Any:
        try:
            return connection.ask(command, until)
        except StoreUnavailable:
            self._pool.clear()
            raise
