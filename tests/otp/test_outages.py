"""Outages: without the store nothing is sent and nothing is right, whatever the fail mode."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import pytest

from authguard.clock import SECOND, ManualClock
from authguard.errors import StoreUnavailable
from authguard.events import MessageFailed
from authguard.guard.ruling import Refusal
from authguard.limits import Decision, Plan
from authguard.otp import Reader
from authguard.otp.counters import WON
from authguard.policy import PRESETS, FailMode
from authguard.stores.memory import MemoryStore
from tests.guard.rig import DeadStore
from tests.otp.rig import Person, Rig

OWNER = Person()
DAY = 24 * 3600 * SECOND


@pytest.mark.parametrize("mode", [FailMode.CLOSED, FailMode.OPEN])
def test_without_a_store_nothing_is_sent_and_nothing_is_right(mode: FailMode) -> None:
    policies = {**PRESETS, **{name: replace(PRESETS[name], fail_mode=mode) for name in ("otp-send", "otp-verify")}}
    alive = Rig(policies=policies)
    sent = alive.ask(OWNER)
    dead = Rig(DeadStore(), policies=policies)
    refused = [dead.ask(OWNER).refused, dead.check(OWNER, sent.token, alive.code()).refused]
    assert [each and each.refusal for each in refused] == [Refusal.BUSY] * 2
    assert dead.inbox.messages == []
    alive.close()
    dead.close()


def test_local_counters_neither_send_nor_accept() -> None:
    """Messages cost money, and what was sent is known to the store alone: without it a code can't be the live one."""
    local = {name: replace(PRESETS[name], fail_mode=FailMode.LOCAL) for name in ("otp-send", "otp-verify")}
    alive = Rig(policies={**PRESETS, **local})
    sent = alive.ask(OWNER)
    dead = Rig(DeadStore(), policies={**PRESETS, **local})
    assert dead.ask(OWNER).refused is None
    assert dead.inbox.messages == []
    assert not dead.check(OWNER, sent.token, alive.code()).right
    alive.close()
    dead.close()


def test_the_store_that_dies_behind_the_answer_is_an_event() -> None:
    class Dying(MemoryStore):
        """A store whose server goes after the request was counted."""

        calls = 0

        def decide(self, plan: Plan) -> Decision:
            self.calls += 1
            if self.calls > 1:
                raise StoreUnavailable("the server is gone")
            return super().decide(plan)

    rig = Rig(Dying())
    assert rig.ask(OWNER).refused is None
    assert rig.inbox.messages == []
    assert MessageFailed("mail", "login", "error") in rig.recorder.events
    rig.close()


def test_a_link_is_too_old_by_the_store_that_is_slow_to_tell_the_time() -> None:
    """Where it can't be asked, a process goes by a clock of its own; such a clock may be years behind."""

    class Timeless(MemoryStore):
        """A store that answers everything but what time it is."""

        def now(self) -> int:
            raise StoreUnavailable("too late")

    clock = ManualClock(time.time_ns() // 1000 + 365 * DAY)
    rig = Rig(Timeless(clock), clock.advance)
    rig.ask(OWNER)
    rig.advance(DAY - 1)
    followed = rig.follow(OWNER, rig.link())
    assert (followed.reader, followed.at) == (Reader(account="42"), clock.now())
    rig.ask(OWNER)
    rig.advance(DAY)
    assert rig.follow(OWNER, rig.link()).reader is None
    assert rig.results() == ["link", "bad_link"]
    rig.close()


def test_a_store_that_dies_once_the_code_has_won_undoes_nothing() -> None:
    class Forgetful(MemoryStore):
        """A store that can't be told to forget."""

        def forget(self, keys: Sequence[bytes]) -> int:
            raise StoreUnavailable("the server is gone")

    rig = Rig(Forgetful())
    sent = rig.ask(OWNER)
    assert rig.right(OWNER, sent.token, rig.code())
    rig.close()


def test_a_store_that_dies_before_the_code_wins_leaves_it_to_be_tried_again() -> None:
    class Dying(MemoryStore):
        """A store whose server is away when a code is about to win, once."""

        dies = True

        def decide(self, plan: Plan) -> Decision:
            if self.dies and any(counter.layer == WON and counter.charges for counter in plan.counters):
                self.dies = False
                raise StoreUnavailable("the server is gone")
            return super().decide(plan)

    rig = Rig(Dying())
    sent = rig.ask(OWNER)
    refused = rig.check(OWNER, sent.token, rig.code()).refused
    assert refused is not None
    assert refused.refusal is Refusal.BUSY
    assert rig.right(OWNER, sent.token, rig.code())
    rig.close()
