"""Spending as metrics: what is left, and what was refused for which reason."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry

from authguard.events import Event, SpendAlarm, SpendRefused, SpendReserved, SpendSettled
from authguard.observe.prometheus import PrometheusObserver

EVENTS: list[Event] = [
    SpendReserved("sms", "known", 1, 499),
    SpendReserved("sms", "strangers", 1, 498),
    SpendReserved("mail", "strangers", 1, 20),
    SpendSettled("sms", "dispatch", True),
    SpendRefused("sms", "strangers", "exhausted", ("day",)),
    SpendRefused("sms", "strangers", "exhausted", ("hour:strangers",)),
    SpendRefused("sms", "strangers", "region_refused", ()),
    SpendAlarm("sms", "GB", 21, 20),
]


@pytest.mark.parametrize(
    ("name", "labels", "value"),
    [
        ("spend_budget_remaining", {"channel": "sms"}, 498),
        ("spend_budget_remaining", {"channel": "mail"}, 20),
        ("spend_budget_exhausted_total", {"channel": "sms"}, 2),
        ("spend_refused_total", {"channel": "sms", "lane": "strangers", "reason": "exhausted"}, 2),
        ("spend_refused_total", {"channel": "sms", "lane": "strangers", "reason": "region_refused"}, 1),
        ("spend_alarms_total", {"channel": "sms", "region": "GB"}, 1),
    ],
)
def test_each_event_is_counted(name: str, labels: dict[str, str], value: float) -> None:
    observer = PrometheusObserver(registry := CollectorRegistry())
    for event in EVENTS:
        observer.observe(event)
    assert registry.get_sample_value(name, labels) == value
