"""Metronome: how late this machine runs a thread that has nothing to do but to wake up in time."""

from __future__ import annotations

import time
from threading import Event, Thread

BEAT = 0.01


class Metronome:
    """Wakes every ``BEAT`` seconds and keeps by how much it was late each time."""

    def __init__(self) -> None:
        self._beats: list[tuple[float, float, float]] = []
        self._over = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._over.set()
        self._thread.join(10)

    def lateness(self, begin: float, end: float) -> float:
        """Return by how many seconds, altogether, the beats between two instants of the monotonic clock were late."""
        return sum(late for due, woken, late in self._beats if due < end and woken > begin)

    def _run(self) -> None:
        begun = time.monotonic()
        while not self._over.wait(BEAT):
            woken = time.monotonic()
            self._beats.append((begun + BEAT, woken, woken - begun - BEAT))
            begun = woken
