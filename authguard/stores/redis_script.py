"""Scripts: the Lua that Redis runs, put together from one file a way of counting."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType

_SHARED = ("clock", "numbers", "logs")
_METERS = (
    ("SLIDING_LOG", "sliding_log"),
    ("FAILURE_LOG", "failure_log"),
    ("LONG_LOG", "long_log"),
    ("DISTINCT_FAILURES or kind == DISTINCT_ATTEMPTS", "distinct"),
    ("FIXED_WINDOW", "fixed_window"),
    ("SLIDING_COUNTER", "sliding_counter"),
    ("LEAKY_BUCKET", "leaky_bucket"),
    ("BACKOFF", "backoff"),
    ("BUDGET or kind == RESERVATIONS", "books", "budget"),
)


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


@dataclass(frozen=True, slots=True)
class Scripts:
    """The two scripts of the store."""

    decide: Script
    settle: Script

    @classmethod
    def load(cls, instead: Mapping[str, str] = MappingProxyType({})) -> Scripts:
        """Return the scripts; ``instead`` replaces files by name, which is how tests stop the clock."""
        folder = files("authguard.stores").joinpath("lua")

        def read(name: str) -> str:
            return instead.get(name) or folder.joinpath(f"{name}.lua").read_text("utf-8")

        shared = [read(name) for name in _SHARED]
        # What only some calls need is made by them, since making a function costs each call its share.
        entries = f"local function entries()\n{read('locate')}\n{read('entries')}\nend\n"
        moves = f"local function moves()\n{read('books')}\n{read('moves')}\nend\n"
        branches = [f"if kind == {kinds} then\n" + "\n".join(map(read, names)) for kinds, *names in _METERS]
        # Branches of one function, not a table of functions: a plan pays only for the ways of counting that it uses.
        meters = "local function meter_of(kind)\n" + "\nelse".join(branches) + "\nend\nend\n"
        decide = Script.of(*shared, read("plan"), entries, meters, read("decide"))
        settling = read("locate"), read("changes"), read("receipt"), moves, read("settle")
        return cls(decide, Script.of(*shared, entries, *settling))
