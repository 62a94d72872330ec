"""Store URLs: ``memory://``, ``sqlite:///path``, ``redis://…`` and their kind."""

from __future__ import annotations

from urllib.parse import urlsplit

from authguard.clock import Clock
from authguard.errors import ConfigurationError
from authguard.stores.base import DEADLINE, Store

SCHEMES = ("memory", "sqlite", "redis", "rediss", "unix", "redis+sentinel", "redis+cluster")


def open_store(url: str, *, deadline: int = DEADLINE, clock: Clock | None = None) -> Store:
    """Open the store that ``url`` names.

    ``memory://`` lives in this process. ``sqlite:///relative`` or ``sqlite:////absolute`` is shared by the processes
    of one machine. ``redis://``, ``rediss://`` (TLS), ``unix://``, ``redis+sentinel://`` and ``redis+cluster://`` are
    shared by machines. ``deadline`` is in microseconds; ``clock`` replaces the time of an in-process store. Raises
    ``ConfigurationError`` with one sentence when the URL, the driver or the place is wrong.
    """
    scheme = urlsplit(url).scheme
    if scheme == "memory":
        from authguard.stores.memory import MemoryStore

        return MemoryStore(clock)
    if scheme == "sqlite":
        from authguard.stores.sqlite import SQLiteStore

        return SQLiteStore.from_url(url, deadline=deadline, clock=clock)
    if scheme in SCHEMES:
        from authguard.stores.redis import RedisStore

        return RedisStore.from_url(url, deadline=deadline)
    known = ", ".join(f"{name}://" for name in SCHEMES)
    raise ConfigurationError(f"the store URL starts with {scheme[:20]!r}; use one of {known}")
