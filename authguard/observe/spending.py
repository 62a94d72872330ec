"""Spending: what the ledger tells as metrics, a part of the Prometheus observer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from authguard.events import Event, SpendAlarm, SpendRefused, SpendReserved

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry


class SpendingMetrics:
    """Counts what was refused, and shows what the tightest cap had left when something was last reserved."""

    def __init__(self, registry: CollectorRegistry) -> None:
        import prometheus_client

        counter, gauge = prometheus_client.Counter, prometheus_client.Gauge
        self._left = gauge(
            "spend_budget_remaining",
            "Units that the tightest cap of the channel had left at the last reservation.",
            ["channel"],
            registry=registry,
            multiprocess_mode="mostrecent",
        )
        self._exhausted = counter(
            "spend_budget_exhausted", "Uses refused because a cap was full.", ["channel"], registry=registry
        )
        self._refused = counter(
            "spend_refused", "Uses refused, by reason.", ["channel", "lane", "reason"], registry=registry
        )
        self._alarms = counter(
            "spend_alarms", "Times strangers in a region were stopped.", ["channel", "region"], registry=registry
        )

    def observe(self, event: Event) -> None:
        """Count ``event`` if it is about spending."""
        match event:
            case SpendReserved():
                self._left.labels(event.channel).set(event.left)
            case SpendAlarm():
                self._alarms.labels(event.channel, event.region).inc()
            case SpendRefused():
                self._refused.labels(event.channel, event.lane, event.reason).inc()
                if event.reason == "exhausted":
                    self._exhausted.labels(event.channel).inc()
            case _:
                return
