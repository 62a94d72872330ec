"""Who is told of a decision: everybody who counts them; who only waits for trouble, of that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from authguard.clock import SECOND
from authguard.events import Decided, Observer
from authguard.guard import Guard
from authguard.limits import Limit, Mode
from authguard.observe import LogObserver, Observers
from authguard.policy import FailMode, Layer, Policy, Scope
from authguard.stores.resilient import ResilientStore
from tests.guard.rig import DeadStore, Recorder, Rig, subject

TWO = Policy("two", (Layer("address", (Scope.IP,), Limit(2, 60 * SECOND)),))
SHADOW = Policy("two", (replace(TWO.layers[0], mode=Mode.SHADOW),))


class Troubleshooter(Recorder):
    """Keeps every event, and need not be told of admissions."""

    skips_admissions = True


def verdicts(policy: Policy, recorder: Recorder, observer: Observer, *, dead: bool = False) -> list[str]:
    """Return what ``recorder`` is told of three requests under a limit of two."""
    rig = Rig()
    store = DeadStore(rig.clock) if dead else rig.store
    guard = Guard({policy.name: policy}, ResilientStore(store, "memory", observer), rig.planner, observer)
    for _ in range(3):
        guard.count(policy.name, subject())
    return [event.verdict for event in recorder.events if isinstance(event, Decided)]


@pytest.mark.parametrize("observers", [(), (LogObserver(),)], ids=["alone", "beside the log"])
def test_who_counts_decisions_is_told_of_all(observers: tuple[Observer, ...]) -> None:
    recorder = Recorder()
    assert verdicts(TWO, recorder, Observers((*observers, recorder))) == ["allow", "allow", "deny"]


def test_who_waits_for_trouble_is_told_of_that() -> None:
    recorder = Troubleshooter()
    assert verdicts(TWO, recorder, Observers((LogObserver(), recorder))) == ["deny"]


def test_a_shadow_layer_without_room_is_trouble() -> None:
    recorder = Troubleshooter()
    assert verdicts(SHADOW, recorder, Observers((recorder,))) == ["allow"]
    told = recorder.events[-1]
    assert isinstance(told, Decided)
    assert told.shadow_denied == ("address",)


def test_a_request_that_nobody_looked_at_is_trouble() -> None:
    recorder = Troubleshooter()
    blindly = replace(TWO, fail_mode=FailMode.OPEN)
    assert verdicts(blindly, recorder, Observers((recorder,)), dead=True) == ["allow"] * 3
