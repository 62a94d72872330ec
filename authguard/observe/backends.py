"""Backends: how the stores are doing, as metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from authguard.events import Event, StoreFaulted, StoreRecovered, StoreSuspended

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
            "0 while the store counts as down, 1 once it is back.",
            ["backend"],
            registry=registry,
            multiprocess_mode="livemin",
        )

    def observe(self, event: Event) -> None:
        """Note ``event``, if it tells of a store."""
        match event:
            case StoreFaulted():
                self._faults.labels(event.backend).inc()
                self._last_fault.labels(event.backend, event.fault).set_to_current_time()
            case StoreSuspended():
                self._up.labels(event.backend).set(0)
            case StoreRecovered():
                self._up.labels(event.backend).set(1)
