"""Counters: what the store remembers of one challenge. The challenge's id is random, so the keys need no pepper."""

from __future__ import annotations

import hashlib

from authguard.limits import Counter, Mode
from authguard.limits.plan import KEY_SIZE
from authguard.otp.rules import VERSIONS, CodeRules

TRIES = "code-tries"
WON = "code-won"
OWN = frozenset({TRIES, WON})
"""Names of the counters whose denial is a wrong code like any other."""


def try_of(challenge: bytes, rules: CodeRules) -> Counter:
    """Return the counter from which each guess at the challenge takes one, whatever version it is a guess at."""
    return Counter(TRIES, _key("tries", challenge), rules.try_limit)


def win_of(challenge: bytes, rules: CodeRules) -> Counter:
    """Return the counter that the one right code, or the link, of a challenge is charged to."""
    return Counter(WON, _key("won", challenge), rules.single)


def sent_of(challenge: bytes, version: int, rules: CodeRules) -> Counter:
    """Return the counter that a version is charged to when its message goes out."""
    return Counter(_sent(version), _key(f"sent {version}", challenge), rules.single)


def look_at(counter: Counter) -> Counter:
    """Return ``counter`` to be looked at only: full or not, it changes nothing."""
    return _uncharged(counter, Mode.SHADOW)


def shut_by(counter: Counter) -> Counter:
    """Return ``counter`` as a gate: whoever asks is refused once it is full, and it is never charged here."""
    return _uncharged(counter, Mode.ENFORCE)


def looks_at_versions(challenge: bytes, rules: CodeRules) -> tuple[Counter, ...]:
    """Return a look at each version there may be."""
    return tuple(look_at(sent_of(challenge, version, rules)) for version in range(1, VERSIONS + 1))


def gates_after(challenge: bytes, version: int, rules: CodeRules) -> tuple[Counter, ...]:
    """Return gates that are shut once any version after ``version`` has gone out."""
    return tuple(shut_by(sent_of(challenge, later, rules)) for later in range(version + 1, VERSIONS + 1))


def newest_sent(waits: dict[str, int]) -> int:
    """Return the newest version that has gone out, by the waits of the looks at them; 0 for none."""
    return max((version for version in range(1, VERSIONS + 1) if waits[_sent(version)]), default=0)


def _sent(version: int) -> str:
    return f"code-sent-{version}"


def _uncharged(counter: Counter, mode: Mode) -> Counter:
    return Counter(counter.layer, counter.key, counter.limit, mode=mode, charges=False)


def _key(what: str, challenge: bytes) -> bytes:
    return hashlib.sha256(b"authguard otp 1 " + what.encode() + b" " + challenge).digest()[:KEY_SIZE]
