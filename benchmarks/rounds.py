"""Rounds: subjects measured in turn, over and over, so that what else the machine does disturbs all of them alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from time import perf_counter_ns
from typing import NamedTuple

ROUNDS = 31
CALLS = 100
WARM_UP = 3
"""Calls of every round that are made and not counted: they open connections and load scripts."""

Call = Callable[[], object]
Prepare = Callable[[int], Iterable[Call]]
"""Returns as many calls as it is asked for, prepared so far that only what is to be measured is left."""
Used = Callable[[], float]
"""Returns the microseconds that somebody else, such as a server, has worked so far."""


class Spread(NamedTuple):
    """What one call takes, in microseconds.

    ``p50`` is the median of the quietest round: a busy machine adds to rounds, it never takes from one. ``p99`` is of
    all rounds, and so includes what the machine added. ``used`` is the server's share in the quietest round.
    """

    p50: float
    p99: float
    used: float = 0.0


def spread(rounds: Iterable[list[int]], used: Iterable[float] = (0.0,)) -> Spread:
    """Return the spread of nanoseconds, given a round at a time."""
    whole = [sorted(times) for times in rounds]
    every = sorted(time for times in whole for time in times)
    quietest = min(times[len(times) // 2] for times in whole)
    return Spread(quietest / 1e3, every[len(every) * 99 // 100] / 1e3, min(used))


def measure(
    subjects: Mapping[str, Prepare], used: Used = lambda: 0.0, *, rounds: int = ROUNDS, calls: int = CALLS
) -> dict[str, Spread]:
    """Return the spread of each subject."""
    times: dict[str, list[list[int]]] = {name: [] for name in subjects}
    shares: dict[str, list[float]] = {name: [] for name in subjects}
    for _ in range(rounds):
        for name, prepare in subjects.items():
            prepared = list(prepare(calls + WARM_UP))
            for call in prepared[:WARM_UP]:
                call()
            before = used()
            times[name].append([_time(call) for call in prepared[WARM_UP:]])
            shares[name].append((used() - before) / calls)
    return {name: spread(times[name], shares[name]) for name in subjects}


def _time(call: Call) -> int:
    start = perf_counter_ns()
    call()
    return perf_counter_ns() - start
