"""Scripts: the Lua that Redis runs, put together from the parts that a plan needs.

Redis runs a script from its first line at each call, so that every function in it is made anew, and a part that a plan
does not need would still cost it microseconds. Hence one script for each set of kinds that plans have: an application
has as many as its policies have different ones, and the server gets each when it is first called.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType

from authguard.limits import Outcome
from authguard.limits.record import ATTEMPTS
from authguard.stores import redis_row as row

_SHARED = ("clock", "numbers")
_FAILURES = (row.FAILURE_LOG, row.DISTINCT_FAILURES)
_DISTINCT = (row.DISTINCT_FAILURES, row.DISTINCT_ATTEMPTS)
_BUDGETS = (row.BUDGET, row.RESERVATIONS)
_METERED = (*_DISTINCT, row.FIXED_WINDOW, row.SLIDING_COUNTER, row.LEAKY_BUCKET, row.BACKOFF, *_BUDGETS)
_MERGED = (row.MERGED, *_FAILURES, row.RESERVATIONS)
_PARTS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("meters", _METERED),
    ("merge_logs", _MERGED),
    ("gather", _MERGED),
    ("effective", (*_FAILURES, *_DISTINCT)),
    ("locate", (*_FAILURES, *_DISTINCT)),
    ("entries", (*_FAILURES, *_DISTINCT)),
    ("long_log", (row.LONG_LOG,)),
    ("prune", _DISTINCT),
    ("distinct", _DISTINCT),
    ("fixed_window", (row.FIXED_WINDOW,)),
    ("sliding_counter", (row.SLIDING_COUNTER,)),
    ("leaky_bucket", (row.LEAKY_BUCKET,)),
    ("backoff", (row.BACKOFF,)),
    ("books", _BUDGETS),
    ("budget", _BUDGETS),
)
"""The files beyond those that every plan needs, and the kinds of counters that need them."""


@dataclass(frozen=True, slots=True)
class Script:
    """Lua source, and the digest under which the server keeps it."""

    source: bytes
    sha: bytes

    @classmethod
    def of(cls, *parts: str) -> Script:
        """Return the script that ``parts`` make one behind the other."""
        source = "\n".join(parts).encode()
        return cls(source, hashlib.sha1(source, usedforsecurity=False).hexdigest().encode())


class Scripts:
    """The scripts of the store."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources
        self._decide: dict[int, Script] = {}
        self._settle = self._join(*_SHARED, "receipt", "merge_logs", "locate", "prune", "changes", "settle")
        self._move = self._join(*_SHARED, "receipt", "books", "move")

    @classmethod
    def load(cls, instead: Mapping[str, str] = MappingProxyType({})) -> Scripts:
        """Return the scripts; ``instead`` replaces files by name, which is how tests stop the clock."""
        folder = files("authguard.stores").joinpath("lua")
        # All at once: no decision is to wait for a disk.
        found = (file for file in folder.iterdir() if file.name.endswith(".lua"))
        return cls({file.name.removesuffix(".lua"): file.read_text("utf-8") for file in found} | dict(instead))

    def decide(self, kinds: int) -> Script:
        """Return the script for plans with counters of ``kinds``, a number in which bit ``k`` stands for kind ``k``."""
        script = self._decide.get(kinds)
        if script is None:
            parts = [name for name, needing in _PARTS if any(kinds >> kind & 1 for kind in needing)]
            script = self._decide[kinds] = self._join(*_SHARED, "plan", "logs", *parts, "decide")
        return script

    def settle(self, outcome: Outcome) -> Script:
        """Return the script that settles plans with ``outcome``."""
        return self._settle if outcome in ATTEMPTS else self._move

    def _join(self, *names: str) -> Script:
        return Script.of(*(self._sources[name] for name in names))
