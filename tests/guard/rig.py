"""A guard over a real in-process store, a clock that stands still, and an observer that remembers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from authguard.clock import ManualClock
from authguard.errors import StoreUnavailable
from authguard.events import Event
from authguard.guard import Guard, WaitingRoom, Watch
from authguard.identity import Pseudonymizer
from authguard.policy import PRESETS, Planner, Policy, Scope, Subject
from authguard.stores.base import Store
from authguard.stores.fallback import Fallback
from authguard.stores.memory import MemoryStore
from authguard.stores.resilient import ResilientStore


class Recorder:
    """An observer that keeps every event."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def observe(self, event: Event) -> None:
        self.events.append(event)


class DeadStore(MemoryStore):
    """A store whose server is gone."""

    def decide(self, plan: Any) -> Any:
        raise StoreUnavailable("the server is gone")

    def settle(self, receipt: Any, outcome: Any) -> bool:
        raise StoreUnavailable("the server is gone")


class Rig:
    """One guard with everything a test wants to look at."""

    def __init__(
        self,
        policies: Mapping[str, Policy] = PRESETS,
        store: Store | None = None,
        waiting: WaitingRoom | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.clock = ManualClock()
        self.store = MemoryStore(self.clock) if store is None else store
        self.recorder = Recorder()
        self.pseudonymizer = Pseudonymizer("s" * 32, app="test")
        self.planner = Planner(self.pseudonymizer, self.clock)
        self.resilient = ResilientStore(self.store, "memory", self.recorder, Fallback(clock=self.clock))
        self.guard = Guard(policies, self.resilient, self.planner, self.recorder, waiting, watch)


def subject(
    account: str = "email:owner@example.com", ip: str = "192.0.2.1", behind: str = "", typed: str = "", **more: Any
) -> Subject:
    """Return a subject from ``ip`` that tries ``account``, spelled ``typed``; ``behind`` is what it resolves to."""
    typed = typed or account
    own_id = behind or f"typed:{typed}"
    subnet = ip.rsplit(".", 1)[0]
    values = {
        Scope.ID: account,
        Scope.AUTHENTICATOR: behind or account,
        Scope.IP: f"{ip}/32",
        Scope.SUBNET: f"{subnet}.0/24",
        Scope.SITE: f"{subnet}.0/24",
    }
    return Subject(values, f"{ip}/32", typed, own_id=own_id, **more)
