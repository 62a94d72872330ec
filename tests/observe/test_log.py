"""The log: what is worth a line, at which level, and that nothing else is."""

from __future__ import annotations

import logging

import pytest

from authguard.events import (
    Decided,
    Event,
    MessageFailed,
    MessageWithheld,
    Misconfigured,
    Refused,
    Settled,
    SpendAlarm,
    SpendRefused,
    StoreFaulted,
    StoreRecovered,
)
from authguard.observe import LogObserver


def decided(verdict: str, denied: tuple[str, ...] = (), shadow: tuple[str, ...] = ()) -> Decided:
    return Decided("login", verdict, denied, shadow, False, 0.001, "store")


@pytest.mark.parametrize(
    ("event", "level", "line"),
    [
        (decided("deny", ("account", "site")), logging.INFO, "login: deny by account, site"),
        (decided("allow", shadow=("site",)), logging.INFO, "login: allowed, but shadow layers would have denied: site"),
        (Refused("login", "empty"), logging.INFO, "login: refused with 400 (empty)"),
        (StoreFaulted("redis", "decide", "timeout"), logging.WARNING, "store redis: timeout during decide"),
        (StoreRecovered("redis"), logging.WARNING, "store redis answers again"),
        (Misconfigured("code", "Change it.", True), logging.WARNING, "code: Change it."),
        (MessageWithheld("sms", "login", "ladder"), logging.INFO, "login: no message by sms (ladder)"),
        (MessageFailed("sms", "login", "uncertain"), logging.WARNING, "login: message by sms failed (uncertain)"),
        (
            SpendRefused("sms", "strangers", "exhausted", ("day",)),
            logging.INFO,
            "sms: nothing spent on strangers (exhausted)",
        ),
        (
            SpendAlarm("sms", "GB", 21, 20),
            logging.WARNING,
            "sms: strangers in GB get nothing for a while: 21 messages went unused, where 20 may",
        ),
    ],
)
def test_what_somebody_would_look_for_is_a_line(
    caplog: pytest.LogCaptureFixture, event: Event, level: int, line: str
) -> None:
    with caplog.at_level(logging.DEBUG, "authguard"):
        LogObserver().observe(event)
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [(level, line)]


@pytest.mark.parametrize("event", [decided("allow"), Settled("login", "success", True), Misconfigured("c", "a", False)])
def test_everyday_events_are_not(caplog: pytest.LogCaptureFixture, event: Event) -> None:
    with caplog.at_level(logging.DEBUG, "authguard"):
        LogObserver().observe(event)
    assert not caplog.records
