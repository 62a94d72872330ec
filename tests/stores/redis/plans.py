"""Plans: the requests that these tests make."""

from __future__ import annotations

import secrets

from authguard.limits import Counter, Counts, Limit, Plan

HOUR = 3_600_000_000


def attempts(*names: str, limit: str = "3/1h", nonce: bytes | None = None) -> Plan:
    """Return a plan that counts attempts under each of ``names``."""
    counters = tuple(Counter(name, name.encode().ljust(16, b"."), Limit.parse(limit)) for name in names)
    return Plan(counters, nonce=nonce or secrets.token_bytes(16))


def login(*names: str, limit: str = "3/1h") -> Plan:
    """Return a plan that counts failures under each of ``names``, and holds an attempt for a minute."""
    parsed = Limit.parse(limit)
    counters = (Counter(name, name.encode().ljust(16, b"."), parsed, counts=Counts.FAILURES) for name in names)
    return Plan(tuple(counters), client=b"client1", guess=secrets.token_bytes(2), hold=60_000_000)
