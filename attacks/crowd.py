"""Crowd: many requests at once, and the many addresses they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from attacks.client import Answer

T = TypeVar("T")


def address(number: int) -> str:
    """Return the ``number``-th of 50,000 addresses, each in a network of its own."""
    return f"{20 + number // 250}.{number % 250}.113.7"


def at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Start every call at the same moment, each in a thread of its own, and return their results in order."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], T]) -> T:
        barrier.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def in_turn(calls: Sequence[Callable[[], T]], threads: int = 4) -> list[T]:
    """Run the calls, at most ``threads`` at a time, and return their results in order."""
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda call: call(), calls))


def count_reached(answers: Iterable[Answer]) -> int:
    """Return how many guesses had their secret looked at."""
    return sum(answer.reached for answer in answers)
