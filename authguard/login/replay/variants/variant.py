"""Variant: traffic made from a seed, with a name and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from authguard.login.replay.record import Record

Make = Callable[[Random], Iterator[Record]]


@dataclass(frozen=True, slots=True)
class Variant:
    """Traffic that is the same every time: ``make`` draws from a generator seeded with the name and the seed."""

    name: str
    about: str
    make: Make

    def records(self, seed: int = 0) -> tuple[Record, ...]:
        """Return the variant's tries in the order of time."""
        random = Random(f"{self.name}:{seed}")  # noqa: S311 - the same dice every time
        return tuple(sorted(self.make(random), key=lambda record: record.at))
