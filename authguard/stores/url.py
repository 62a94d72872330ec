"""Store URLs: ``memory://``, ``sqlite:///path``, ``redis://…`` and their kind."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

from authguard.clock import Clock
from authguard.errors import ConfigurationError
from authguard.stores.base import DEADLINE, Store

_KINDS = ("", "s", "+sentinel", "s+sentinel", "+cluster", "s+cluster")
SCHEMES = ("memory", "sqlite", "unix", *(f"{name}{kind}" for name in ("redis", "valkey") for kind in _KINDS))

DRIVERS = ("redis", "_sqlite3")
"""What an installation, or a Python, may lack."""


def open_store(url: str, *, deadline: int = DEADLINE, clock: Clock | None = None) -> Store:
    """Open the store that ``url`` names.

    ``memory://`` lives in this process. ``sqlite:///relative`` or ``sqlite:////absolute`` is shared by the processes
    of one machine. ``redis://``, ``rediss://`` (TLS), ``unix://``, ``redis+sentinel://`` and ``redis+cluster://`` are
    shared by machines; ``valkey`` may stand for ``redis``. ``deadline`` is in microseconds; ``clock`` replaces the time
    of an in-process store. Raises ``ConfigurationError`` with one sentence when the URL, the driver or the place is
    wrong.
    """
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        raise ConfigurationError(
            "the host in the store URL can't be read; an IPv6 address stands in brackets"
        ) from None
    try:
        return _open(scheme, url, deadline, clock)
    except ModuleNotFoundError as error:
        driver = (error.name or "").partition(".")[0]
        if driver not in DRIVERS:
            raise
        raise ConfigurationError(
            f"{scheme}:// needs the Python package {driver.removeprefix('_')}; install it, or name another store"
        ) from None


def _open(scheme: str, url: str, deadline: int, clock: Clock | None) -> Store:
    if scheme == "memory":
        if url.removeprefix("memory:").strip("/"):
            raise ConfigurationError("memory:// is the whole URL; nothing belongs behind it")
        from authguard.stores.memory import MemoryStore

        return MemoryStore(clock)
    if scheme == "sqlite":
        from authguard.stores.sqlite import SQLiteStore

        return SQLiteStore.from_url(url, deadline=deadline, clock=clock)
    if scheme in SCHEMES:
        return _open_redis(url, deadline)
    known = ", ".join(f"{name}://" for name in SCHEMES)
    raise ConfigurationError(f"the store URL starts with {scheme[:20]!r}; use one of {known}")


def _open_redis(url: str, deadline: int) -> Store:
    from authguard.stores.redis import RedisStore
    from authguard.stores.redis_topology import servers_of
    from authguard.stores.redis_url import RedisURL
    from authguard.stores.sharded import CALLS, ShardedStore

    parsed = RedisURL.parse(url)
    if parsed.apart is None:
        return RedisStore.from_url(url, deadline=deadline)
    # Each looks for the node of its own slot: the check asks that one, and so does every new connection.
    places = (replace(parsed, tag=tag) for tag in (parsed.tag, parsed.apart))
    rest, apart = (RedisStore(servers_of(place), place.tag, deadline // CALLS) for place in places)
    return ShardedStore(rest, apart)
