"""Waiting: valid logins of one account from many clients wait for each other, within bounds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from authguard.guard import Attempt, WaitingRoom
from authguard.guard.ruling import Refusal
from tests.guard.rig import Rig, subject


class NoRoom(WaitingRoom):
    """A room in which nobody may wait."""

    def pause(self) -> None:
        raise AssertionError("somebody waited")


def hold_the_budget(rig: Rig, **who: str) -> list[Attempt]:
    """Begin five attempts of five clients on one account and leave them under way."""
    return [rig.guard.attempt("login", subject(ip=f"198.51.{n}.7", **who), f"secret{n}") for n in range(5)]


def test_a_sixth_client_gets_in_as_soon_as_one_of_five_is_through() -> None:
    rig = Rig(waiting=WaitingRoom(threads=8))
    pending = hold_the_budget(rig)
    with ThreadPoolExecutor(1) as pool:
        sixth = pool.submit(rig.guard.attempt, "login", subject(), "right")
        pending[0].succeed()
        assert sixth.result(timeout=10).allowed


def test_who_waits_for_failures_is_refused_as_soon_as_they_are_known() -> None:
    rig = Rig(waiting=WaitingRoom(threads=8))
    pending = hold_the_budget(rig)
    with ThreadPoolExecutor(1) as pool:
        sixth = pool.submit(rig.guard.attempt, "login", subject(), "right")
        for attempt in pending:
            attempt.fail()
        refused = sixth.result(timeout=10).refused
    assert refused is not None
    assert refused.refusal is Refusal.CHALLENGE


def test_nobody_waits_for_attempts_on_another_name_of_the_account() -> None:
    rig = Rig(waiting=NoRoom(threads=8))
    hold_the_budget(rig, behind="account:7")
    other = rig.guard.attempt("login", subject("name:owner", behind="account:7"), "guess")
    nobodys = rig.guard.attempt("login", subject("name:stranger"), "guess")
    assert (other.allowed, other.blind) == (True, True)
    assert (nobodys.allowed, nobodys.blind) == (True, False)


def test_who_waits_for_the_own_name_is_let_in_where_the_account_has_another() -> None:
    rig = Rig(waiting=WaitingRoom(threads=8))
    pending = hold_the_budget(rig, behind="account:7")
    with ThreadPoolExecutor(1) as pool:
        sixth = pool.submit(rig.guard.attempt, "login", subject(behind="account:7"), "right")
        pending[0].succeed()
        assert (sixth.result(timeout=10).allowed, sixth.result().blind) == (True, False)


def test_a_guess_made_again_joins_its_own_at_once_though_the_account_is_used_up_under_another_name() -> None:
    def again(linked: bool) -> Attempt:
        rig = Rig(waiting=NoRoom(threads=8))
        for n in range(5):
            rig.guard.attempt("login", subject("name:owner", f"198.51.{n}.7", behind="account:7"), "wrong").fail()
        who = subject(behind="account:7" if linked else "account:8")
        under_way = [rig.guard.attempt("login", who, f"guess{n}") for n in range(5)]
        assert all(attempt.allowed for attempt in under_way)
        return rig.guard.attempt("login", who, "guess0")

    assert [(again(linked).allowed, again(linked).blind) for linked in (True, False)] == [(True, True), (True, False)]


def test_a_full_room_answers_busy_at_once() -> None:
    rig = Rig(waiting=WaitingRoom(threads=1))
    hold_the_budget(rig)
    refused = rig.guard.attempt("login", subject(), "right").refused
    assert refused is not None
    assert refused.refusal is Refusal.BUSY


def test_places_are_bounded_by_the_threads_and_by_the_address() -> None:
    room = WaitingRoom(threads=40, an_address=2)
    with room.enter("a") as first, room.enter("a") as second, room.enter("a") as third, room.enter("b") as other:
        assert (first, second, third, other) == (True, True, False, True)
    with room.enter("a") as again:
        assert again
    small = WaitingRoom(threads=4)
    with small.enter("a") as first, small.enter("b") as second:
        assert (first, second) == (True, False)


def test_an_announcement_wakes_who_waits() -> None:
    room = WaitingRoom()
    woken = Event()

    def wait() -> None:
        room.pause()
        woken.set()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(wait)
        room.announce()
        assert woken.wait(5)
