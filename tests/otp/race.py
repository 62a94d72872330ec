"""A race: many threads do the same thing, all at once."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread
from typing import TypeVar

T = TypeVar("T")


def at_once(times: int, action: Callable[[], T]) -> list[T]:
    """Return what ``action`` gave to each of ``times`` threads that began together."""
    barrier, given = Barrier(times), list[T]()

    def run() -> None:
        barrier.wait(30)
        given.append(action())

    threads = [Thread(target=run) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(given) == times
    return given
