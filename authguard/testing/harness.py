"""Harness: a store as the contract suite sees it, with a clock to move and a look at everything it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from authguard.stores import Store


def _nowhere() -> Store:
    raise NotImplementedError("this store is not shared by processes")


@dataclass(frozen=True, slots=True)
class StoreUnderTest:
    """A store that is empty at first, and what the suite does to it from outside.

    ``advance`` moves the store's clock by microseconds, backwards too. ``dump`` returns everything that the store
    holds, in a form that compares equal as long as nothing was written. ``elsewhere`` opens the same store in another
    process, and can be pickled; only a store that processes share has it. The store's deadline should be seconds:
    the suite races on purpose, and what a test of atomicity must not measure is the machine.
    """

    store: Store
    advance: Callable[[int], None]
    dump: Callable[[], object]
    elsewhere: Callable[[], Store] = _nowhere
