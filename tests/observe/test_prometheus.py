"""Prometheus: what an operator would graph and alert on."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry

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
    StoreFaulted,
    StoreRecovered,
)
from authguard.observe.prometheus import PrometheusObserver


def decided(verdict: str, denied: tuple[str, ...] = (), shadow: tuple[str, ...] = ()) -> Decided:
    return Decided("login", verdict, denied, shadow, False, 0.0004, "store")


@pytest.fixture
def registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    observer = PrometheusObserver(registry)
    events: list[Event] = [
        decided("allow"),
        decided("allow", shadow=("site",)),
        decided("deny", ("account", "address")),
        Refused("login", "empty"),
        Settled("login", "failure", True),
        Settled("login", "failure", False),
        StoreFaulted("redis", "decide", "timeout"),
        Misconfigured("shared_private_address", "Set the preset.", True),
        MessageSent("sms", "login", 0.5),
        MessageWithheld("sms", "login", "ladder"),
        MessageFailed("sms", "login", "uncertain"),
        CodeChecked("login", "wrong"),
    ]
    for event in events:
        observer.observe(event)
    return registry


@pytest.mark.parametrize(
    ("name", "labels", "value"),
    [
        ("rate_limit_decisions_total", {"policy": "login", "scope": "", "result": "allow"}, 2),
        ("rate_limit_decisions_total", {"policy": "login", "scope": "account", "result": "deny"}, 1),
        ("rate_limit_decisions_total", {"policy": "login", "scope": "address", "result": "deny"}, 1),
        ("rate_limit_decisions_total", {"policy": "login", "scope": "site", "result": "shadow"}, 1),
        ("rate_limit_check_duration_seconds_count", {"policy": "login"}, 3),
        ("rate_limit_backend_errors_total", {"backend": "redis"}, 1),
        ("rate_limit_backend_up", {"backend": "redis"}, 0),
        ("rate_limit_refused_total", {"policy": "login", "code": "empty"}, 1),
        ("rate_limit_attempts_total", {"policy": "login", "outcome": "failure"}, 1),
        ("rate_limit_misconfigured_total", {"code": "shared_private_address"}, 1),
        ("messages_total", {"channel": "sms", "purpose": "login", "result": "sent"}, 1),
        ("messages_total", {"channel": "sms", "purpose": "login", "result": "ladder"}, 1),
        ("messages_total", {"channel": "sms", "purpose": "login", "result": "uncertain"}, 1),
        ("codes_total", {"purpose": "login", "result": "wrong"}, 1),
    ],
)
def test_each_event_is_counted(registry: CollectorRegistry, name: str, labels: dict[str, str], value: float) -> None:
    assert registry.get_sample_value(name, labels) == value


def test_a_store_that_answers_again_is_up(registry: CollectorRegistry) -> None:
    PrometheusObserver(other := CollectorRegistry()).observe(StoreRecovered("redis"))
    assert other.get_sample_value("rate_limit_backend_up", {"backend": "redis"}) == 1
