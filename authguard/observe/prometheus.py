"""Prometheus: events as metrics. Labels are names of the configuration and regions, so their number is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from authguard.errors import ConfigurationError
from authguard.events import (
    CodeChecked,
    Decided,
    Event,
    MessageFailed,
    MessageSent,
    MessageWithheld,
    Misconfigured,
    Refused,
    Settled,
)
from authguard.observe.attacks import AttackMetrics
from authguard.observe.backends import BackendMetrics
from authguard.observe.spending import SpendingMetrics

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

BUCKETS = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
"""Seconds; a store call ends by its deadline, 50 ms unless configured."""


class PrometheusObserver:
    """Counts events in ``registry`` (the default one, unless given another).

    Needs ``authguard[prometheus]``; raises ``ConfigurationError`` without it. Under gunicorn with several workers
    set ``PROMETHEUS_MULTIPROC_DIR`` to a folder that is emptied at start, as prometheus-client documents.
    """

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        try:
            import prometheus_client
        except ImportError:
            raise ConfigurationError(
                "PrometheusObserver needs prometheus-client; install authguard[prometheus]"
            ) from None
        to = prometheus_client.REGISTRY if registry is None else registry
        counter = prometheus_client.Counter
        self._decisions = counter(
            "rate_limit_decisions",
            "Decisions by policy, layer that decided, and result.",
            ["policy", "scope", "result"],
            registry=to,
        )
        self._duration = prometheus_client.Histogram(
            "rate_limit_check_duration_seconds", "Time a decision took.", ["policy"], buckets=BUCKETS, registry=to
        )
        self._refused = counter("rate_limit_refused", "Requests answered 400.", ["policy", "code"], registry=to)
        self._settled = counter("rate_limit_attempts", "Attempts by outcome.", ["policy", "outcome"], registry=to)
        self._misconfigured = counter(
            "rate_limit_misconfigured", "Requests that do not fit the set-up.", ["code"], registry=to
        )
        self._messages = counter(
            "messages", "Messages asked for, by what became of them.", ["channel", "purpose", "result"], registry=to
        )
        self._codes = counter("codes", "Codes and links tried.", ["purpose", "result"], registry=to)
        self._backends = BackendMetrics(to)
        self._spending = SpendingMetrics(to)
        self._attacks = AttackMetrics(to)

    def observe(self, event: Event) -> None:
        """Count ``event``."""
        self._backends.show()
        match event:
            case Decided():
                self._decided(event)
            case Refused():
                self._refused.labels(event.policy, event.code).inc()
            case Settled(settled=True):
                self._settled.labels(event.policy, event.outcome).inc()
            case Misconfigured():
                self._misconfigured.labels(event.code).inc()
            case CodeChecked():
                self._codes.labels(event.purpose, event.result).inc()
            case MessageSent() | MessageWithheld() | MessageFailed():
                self._messaged(event)
            case _:
                self._backends.observe(event)
                self._spending.observe(event)
                self._attacks.observe(event)

    def _messaged(self, event: MessageSent | MessageWithheld | MessageFailed) -> None:
        result = "sent"
        if not isinstance(event, MessageSent):
            result = event.reason if isinstance(event, MessageWithheld) else event.fault
        self._messages.labels(event.channel, event.purpose, result).inc()

    def _decided(self, event: Decided) -> None:
        self._duration.labels(event.policy).observe(event.seconds)
        for layer in event.denied or ("",):
            self._decisions.labels(event.policy, layer, event.verdict).inc()
        for layer in event.shadow_denied:
            self._decisions.labels(event.policy, layer, "shadow").inc()
