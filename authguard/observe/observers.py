"""Observers: several of them as one."""

from __future__ import annotations

from collections.abc import Iterable

from authguard.events import Event, Observer


class Observers:
    """Hands each event to every observer; one that raises loses the event and disturbs nobody."""

    __slots__ = ("_observers", "skips_admissions")

    def __init__(self, observers: Iterable[Observer] = ()) -> None:
        self._observers = tuple(observers)
        self.skips_admissions = all(getattr(each, "skips_admissions", False) for each in self._observers)

    def observe(self, event: Event) -> None:
        """Hand ``event`` to every observer."""
        for observer in self._observers:
            try:
                observer.observe(event)
            except Exception:  # noqa: BLE001, S112 - an observer's bug must not open or close a door
                continue
