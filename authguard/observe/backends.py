"""Backends: how the stores are doing, as metrics."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from authguard.events import Event, StoreFaulted, StoreOpened, StoreRecovered, StoreSuspended

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry


class BackendMetrics:
    """Counts the faults of stores in ``registry``, and shows which one is down."""

    def __init__(self, registry: CollectorRegistry) -> None:
        from prometheus_client import Counter, Gauge

        self._faults = Counter("rate_limit_backend_errors", "Store calls that failed.", ["backend"], registry=registry)
        self._last_fault = Gauge(
            "rate_limit_backend_last_fault_timestamp_seconds",
            "When a store call last failed in this way, in seconds since the Unix epoch.",
            ["backend", "fault"],
            registry=registry,
            multiprocess_mode="max",
        )
        # Of living processes: one that ended during an outage would hold the store down for ever.
        self._up = Gauge(
            "rate_limit_backend_up",
            "0 while the store counts as down, 1 otherwise.",
            ["backend"],
            registry=registry,
            multiprocess_mode="livemin",
        )
        self._states: dict[str, int] = {}
        self._shown_by = 0

    def observe(self, event: Event) -> None:
        """Note ``event``, if it tells of a store."""
        match event:
            case StoreOpened():
                self._states[event.backend] = 1
                self._shown_by = 0
                # With several processes this one may be about to fork, and what it showed would be 0 in each child.
                if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
                    self.show()
            case StoreFaulted():
                self._faults.labels(event.backend).inc()
                self._last_fault.labels(event.backend, event.fault).set_to_current_time()
            case StoreSuspended():
                self._turn(event.backend, 0)
            case StoreRecovered():
                self._turn(event.backend, 1)

    def show(self) -> None:
        """Show which stores are up, where this process has not done so yet."""
        process = os.getpid()
        if self._shown_by != process:
            self._shown_by = process
            for backend, state in self._states.items():
                self._up.labels(backend).set(state)

    def _turn(self, backend: str, state: int) -> None:
        self._states[backend] = state
        self._up.labels(backend).set(state)
