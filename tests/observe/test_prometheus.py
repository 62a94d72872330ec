"""Prometheus: what an operator would graph and alert on."""

from __future__ import annotations

import time

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
    StoreOpened,
    StoreRecovered,
    StoreSuspended,
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


def test_a_store_is_down_while_it_is_left_alone_and_not_for_one_fault() -> None:
    observer = PrometheusObserver(registry := CollectorRegistry())
    told = []
    fault = StoreFaulted("redis", "decide", "timeout")
    for event in (StoreOpened("redis"), fault, StoreSuspended("redis", 1.0), fault, StoreRecovered("redis"), fault):
        observer.observe(event)
        told.append(registry.get_sample_value("rate_limit_backend_up", {"backend": "redis"}))
    assert told == [1, 1, 0, 0, 1, 1]


def test_the_last_fault_is_told_with_its_time(registry: CollectorRegistry) -> None:
    name, labels = "rate_limit_backend_last_fault_timestamp_seconds", {"backend": "redis"}
    at = registry.get_sample_value(name, {**labels, "fault": "timeout"})
    assert at is not None
    assert 0 <= time.time() - at < 60
    assert registry.get_sample_value(name, {**labels, "fault": "full"}) is None
