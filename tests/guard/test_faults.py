"""What the guard answers when the store can't."""

from __future__ import annotations

from dataclasses import replace

from authguard.events import StoreFaulted
from authguard.guard.ruling import Refusal
from authguard.policy import PRESETS, FailMode, Policy
from tests.guard.rig import DeadStore, Rig, subject


def policies(mode: FailMode) -> dict[str, Policy]:
    return {"login": replace(PRESETS["login"], fail_mode=mode)}


def test_closed_refuses_with_busy_and_tells_the_fault() -> None:
    rig = Rig(policies(FailMode.CLOSED), DeadStore())
    attempt = rig.guard.attempt("login", subject(), "x")
    assert attempt.refused is not None
    assert attempt.refused.refusal is Refusal.BUSY
    assert StoreFaulted("memory", "decide", "unavailable") in rig.recorder.events


def test_open_lets_through_and_settles_nothing() -> None:
    rig = Rig(policies(FailMode.OPEN), DeadStore())
    with rig.guard.attempt("login", subject(), "x") as attempt:
        assert attempt.allowed
        attempt.succeed()
