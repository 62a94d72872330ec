"""Crowd: many requests at once, and the many addresses they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import TypeVar

from attacks.client import Answer
from attacks.target import Target

T = TypeVar("T")


def address(number: int) -> str:
    """Return the ``number``-th of 50,000 addresses, each in a network of its own."""
    return f"{20 + number // 250}.{number % 250}.113.7"


def passwords(count: int, right: str) -> list[str]:
    """Return ``count`` passwords to guess, of which the last is right."""
    return [*(f"guess {number}" for number in range(1, count)), right]


def from_everywhere(target: Target, identifier: str, guesses: Iterable[str]) -> list[Callable[[], Answer]]:
    """Return a login for each of ``guesses``, every one from another address."""
    return [partial(target.client(address(number)).login, identifier, guess) for number, guess in enumerate(guesses)]


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
