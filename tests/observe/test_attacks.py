"""Alarms and notices in the log and in the metrics, without anybody's name."""

from __future__ import annotations

import logging

import pytest
from prometheus_client import CollectorRegistry

from authguard.events import AlarmEnded, AlarmRaised, Event, OwnerNotice, PasswordChecked
from authguard.observe import LogObserver
from authguard.observe.prometheus import PrometheusObserver

RAISED = AlarmRaised("login", 25, 30, 0.4)
LINE = "login: 25 accounts fail and 30 come through; strangers are asked for a challenge"


@pytest.mark.parametrize(
    ("event", "level", "line"),
    [
        (
            RAISED,
            logging.WARNING,
            f"{LINE}; 40% of the names tried are nobody's",
        ),
        (
            AlarmRaised("login", 25, 30, None),
            logging.WARNING,
            LINE,
        ),
        (AlarmEnded("login"), logging.WARNING, "login: few accounts fail again; the alarm has ended"),
        (
            OwnerNotice("login", "a1b2", ("account",)),
            logging.INFO,
            "login: the tries of account a1b2 are used up (account); its owner is told",
        ),
    ],
)
def test_an_attack_is_a_line(caplog: pytest.LogCaptureFixture, event: Event, level: int, line: str) -> None:
    with caplog.at_level(logging.DEBUG, "authguard"):
        LogObserver().observe(event)
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [(level, line)]


def test_a_checked_password_is_none(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "authguard"):
        LogObserver().observe(PasswordChecked("no_hash"))
    assert not caplog.records


@pytest.mark.parametrize(
    ("name", "labels", "value"),
    [
        ("login_alarms_total", {"policy": "login", "turn": "raised"}, 2),
        ("login_alarms_total", {"policy": "login", "turn": "ended"}, 1),
        ("owner_notices_total", {"policy": "login"}, 1),
        ("passwords_checked_total", {"outcome": "mismatch"}, 1),
    ],
)
def test_an_attack_is_counted(name: str, labels: dict[str, str], value: float) -> None:
    registry = CollectorRegistry()
    observer = PrometheusObserver(registry)
    for event in (RAISED, RAISED, AlarmEnded("login"), OwnerNotice("login", "a1", ()), PasswordChecked("mismatch")):
        observer.observe(event)
    assert registry.get_sample_value(name, labels) == value
