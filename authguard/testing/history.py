"""History: what every machine that lets random things happen to one store begins and ends with (Hypothesis)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import ClassVar, TypeVar

from hypothesis.stateful import RuleBasedStateMachine, initialize

from authguard.testing.harness import StoreUnderTest

OpenStore = Callable[[], AbstractContextManager[StoreUnderTest]]

H = TypeVar("H", bound="StoreHistory")


class StoreHistory(RuleBasedStateMachine):
    """One store, empty at first; the rules are those of a class made from this one."""

    open_store: ClassVar[OpenStore]

    def __init__(self) -> None:
        super().__init__()
        self._stack = ExitStack()

    @initialize()
    def start(self) -> None:
        self._tested = self._stack.enter_context(type(self).open_store())

    def teardown(self) -> None:
        self._stack.close()


def history_of(machine: type[H], open_store: OpenStore) -> type[H]:
    """Return ``machine`` for the stores that ``open_store`` opens; its ``TestCase`` is what pytest runs."""
    return type("Machine", (machine,), {"open_store": staticmethod(open_store)})
