"""Census: the different accounts tried of late, failing and coming through, counted in the store for all processes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from threading import Lock
from typing import NamedTuple

from authguard.clock import SECOND
from authguard.errors import StoreError
from authguard.limits import Algorithm, Counter, Limit, Mode, Plan
from authguard.limits.plan import KEY_SIZE
from authguard.policy import FailMode, Planner
from authguard.stores.resilient import ResilientStore

CAPACITY = 512
"""Accounts that are told apart; where there are more it is a sample of them."""
A_NETWORK = 3
"""Failing accounts that one network (IPv4 /24, IPv6 /48) tells of at a time, in all windows together.

As many as one address may fail on in an hour before it is asked for a challenge each time (``accounts-an-address``).
Whoever goes on from there, solving them, is held by layers of its own, and has nobody else asked for one.
"""
_SHARE = 2
"""By how many bits of the tags each sample is smaller than the one before: it has a quarter of the accounts."""
_LOOK = b"looks.."
_REFRESH = 30.0
"""Seconds for which the same client's same outcome on the same account is no news."""
_REMEMBERED = 4096


class Headcount(NamedTuple):
    """Different accounts within a window: those of which no try came through, and those of which one did."""

    failing: int
    succeeding: int


class Census:
    """Counts different accounts within each of ``windows`` (seconds), in bounded memory, the same for all processes.

    Of an account a tag is kept. One that came through counts as succeeding for a window from then. When there are too
    many to keep, a quarter of them is, told by their tags, which nobody outside can choose: so a flood of made-up names
    pushes failing and succeeding accounts out alike, and their ratio stays. The next smaller sample is always kept
    along, and the next larger, so that each has its history by the time it is used; and however much is tried, the
    store is asked a few times a second. While it can't be asked, each process counts what it sees itself.

    Of one network no more than :data:`A_NETWORK` failing accounts count: who has a single address would otherwise
    have everybody else challenged, for as long as a try in two minutes goes on. Each of them counts once, whatever
    the networks: who tells of the same few again and again would keep an alarm up from half of the networks that it
    took to raise it, or have decoys take the place of all that fail after them. Accounts that come through are not
    bounded so. To dilute the share takes accounts of one's own, whatever the networks, and of those that have them
    most are honest: an office or a carrier, of which little would be left.
    """

    def __init__(self, name: str, windows: Iterable[float], planner: Planner, store: ResilientStore) -> None:
        spans = tuple(dict.fromkeys(windows))
        self._samples = {window: _Sample(name, window, planner) for window in spans}
        self._networks = _Networks(name, max(spans), planner)
        self._store = store
        self.start()

    def start(self) -> None:
        """Forget what this process noted itself; a forked child's lock may be held by a thread that it lacks."""
        self._noted: OrderedDict[tuple[bytes, str, bool], float] = OrderedDict()
        self._lock = Lock()

    def note(self, tag: bytes, client: str, network: str, succeeded: bool, now: float) -> Mapping[float, Headcount]:
        """Take note of what a try of ``client`` on the account that ``tag`` stands for came to; ``now`` is monotonic.

        ``network`` is the one that the client is in, blank where it has none. Returns what stands in each window that
        it tells of. Only what the same client did itself a moment ago is not noted again, so that the time this takes
        says nothing about what others did (law 8).
        """
        if not self._is_news((tag, client, succeeded), now):
            return {}
        counters = tuple(each for sample in self._samples.values() for each in sample.counters(tag, succeeded))
        if not counters:
            return {}
        if network and not succeeded:
            # Enforced: where it has no room, nothing is counted.
            counters += self._networks.counters(network, tag)
        try:
            decision = self._store.decide(Plan(counters), FailMode.LOCAL).decision
        except StoreError:
            return {}
        if decision is None:
            return {}
        used = {
            # Not our own limits: a process that counts for itself has its part of them.
            counter.key: (counter.limit.amount - left, left)
            for counter, left in zip(decision.plan.counters, decision.reply.remaining, strict=True)
        }
        found = {window: sample.read(used) for window, sample in self._samples.items()}
        return {window: headcount for window, headcount in found.items() if headcount is not None}

    def _is_news(self, noted: tuple[bytes, str, bool], now: float) -> bool:
        with self._lock:
            if now - self._noted.get(noted, now - _REFRESH) < _REFRESH:
                return False
            self._noted.pop(noted, None)
            self._noted[noted] = now
            if len(self._noted) > _REMEMBERED:
                self._noted.popitem(last=False)
        return True


class _Networks:
    """What the networks have told of, for as long as it counts in any window."""

    def __init__(self, name: str, window: float, planner: Planner) -> None:
        self._name = name
        self._period = round(window * SECOND)
        self._planner = planner

    def counters(self, network: str, tag: bytes) -> tuple[Counter, ...]:
        """Return the counters of the accounts that ``network`` was first to tell of, and of this one being told of."""
        return self._counter("network", network, A_NETWORK), self._counter("told", tag.hex(), 1)

    def _counter(self, what: str, of: str, amount: int) -> Counter:
        key = self._planner.tag("census", f"{self._name}/{what}/{of}", KEY_SIZE)
        return Counter(what, key, Limit(amount, self._period))


class _Sample:
    """One window's accounts at several levels; the level in use is the largest sample that is not full."""

    def __init__(self, name: str, window: float, planner: Planner) -> None:
        self._name = f"{name}/{window:g}"
        self._limit = Limit(CAPACITY, round(window * SECOND), Algorithm.DISTINCT)
        self._planner = planner
        self._keys: dict[tuple[str, int], bytes] = {}
        self._level = 0

    def counters(self, tag: bytes, succeeded: bool) -> list[Counter]:
        """Return the counters that the outcome changes, and those that :meth:`read` looks at."""
        level = self._level
        counters = []
        for each in (level - 1, level, level + 1):
            if not _is_of(tag, each):
                continue
            counters.append(self._counter("tried", each, tag))
            if succeeded:
                counters.append(self._counter("through", each, tag))
            elif each == level:
                counters.append(self._counter("through", each, _LOOK))
        return counters

    def read(self, used: Mapping[bytes, tuple[int, int]]) -> Headcount | None:
        """Return what stands at the level in use, ``None`` where the account is not of it; change to a better level."""
        level = self._level
        kept, free = used.get(self._key("tried", level - 1), (0, 0))
        if free and 3 * free >= kept:  # a quarter is, so that it is not full again at once
            self._level = level - 1
        came_through = used.get(self._key("through", level))
        if came_through is None:
            return None
        tried, free = used[self._key("tried", level)]
        if not free:
            self._level = level + 1
        return Headcount(max(0, tried - came_through[0]), came_through[0])

    def _counter(self, what: str, level: int, member: bytes) -> Counter:
        # In shadow: what is full takes no more, and keeps nothing else from being counted.
        charges = member != _LOOK
        return Counter(what, self._key(what, level), self._limit, mode=Mode.SHADOW, member=member, charges=charges)

    def _key(self, what: str, level: int) -> bytes:
        key = self._keys.get((what, level))
        if key is None:
            key = self._keys[what, level] = self._planner.tag("census", f"{self._name}/{what}/{level}", KEY_SIZE)
        return key


def _is_of(tag: bytes, level: int) -> bool:
    return level >= 0 and int.from_bytes(tag) & ((1 << _SHARE * level) - 1) == 0
