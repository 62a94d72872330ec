"""Reservations: one use of one key, spent before the provider is called, and given back only when it was not used."""

from __future__ import annotations

from dataclasses import replace
from threading import Barrier

import pytest

from authguard.delivery.spending import Spending
from authguard.errors import ConfigurationError, IdentityError
from authguard.events import SpendRefused, SpendReserved, SpendSettled
from authguard.spend import Reason, SpendDenied
from authguard.testing import StoreUnderTest
from authguard.testing.contract.races import at_once
from tests.spend.desk import DAY, MINUTE, Desk, mobile

ANN = mobile(1)


def test_what_was_dispatched_is_spent(every_store: StoreUnderTest) -> None:
    desk = Desk(every_store)
    with desk.ledger.reserve("sms", ANN) as reservation:
        assert desk.left("day") == 4999
        assert reservation.dispatch() is True
    every_store.advance(10 * MINUTE)
    assert desk.left("day") == 4999


def test_leaving_before_the_dispatch_gives_back(desk: Desk) -> None:
    with desk.ledger.reserve("sms", ANN):
        pass
    with pytest.raises(KeyError), desk.ledger.reserve("sms", ANN):
        raise KeyError
    assert desk.left("day") == 5000


def test_an_unknown_outcome_is_spent(desk: Desk) -> None:
    reservation = desk.ledger.reserve("sms", ANN)
    reservation.dispatch()
    with pytest.raises(TimeoutError), reservation:
        raise TimeoutError
    assert desk.left("day") == 4999
    assert [event.outcome for event in desk.told.of(SpendSettled)] == ["dispatch", "commit"]
    assert reservation.release() is False


def test_only_a_release_gives_back_what_was_dispatched(desk: Desk) -> None:
    with desk.ledger.reserve("sms", ANN) as reservation:
        reservation.dispatch()
        assert reservation.release() is True
    assert desk.left("day") == 5000
    assert reservation.release() is False
    assert reservation.commit() is False


def test_nothing_is_committed_before_its_dispatch(desk: Desk) -> None:
    reservation = desk.ledger.reserve("sms", ANN)
    assert reservation.commit() is False
    assert reservation.dispatch() is True
    assert reservation.commit() is True


def test_a_reservation_is_dispatched_once(desk: Desk) -> None:
    reservation = desk.ledger.reserve("sms", ANN)
    reservation.dispatch()
    with pytest.raises(SpendDenied) as caught:
        reservation.dispatch()
    assert caught.value.reason is Reason.LOST
    assert desk.left("day") == 4999


def test_a_worker_that_died_before_the_dispatch_costs_nothing_for_long(desk: Desk) -> None:
    reservation = desk.ledger.reserve("sms", ANN)
    desk.tested.advance(2 * MINUTE - 1)
    assert desk.left("day") == 4999
    desk.tested.advance(1)
    assert desk.left("day") == 5000
    with pytest.raises(SpendDenied, match="lost"):
        reservation.dispatch()


def test_twenty_with_one_key_send_once(every_store: StoreUnderTest) -> None:
    desk = Desk(every_store)
    reserved = Barrier(20, timeout=60)

    def send(_: int) -> bool:
        with desk.ledger.reserve("sms", ANN, "one key") as reservation:
            reserved.wait()
            try:
                return reservation.dispatch()
            except SpendDenied:
                return False

    assert sum(at_once(20, send)) == 1
    assert desk.left("day") == 4999


def test_who_comes_with_the_key_later_sends_nothing_and_takes_nothing_back(desk: Desk) -> None:
    desk.send(ANN, key="one key")
    for _ in range(3):
        desk.tested.advance(7 * 60 * MINUTE)
        reservation = desk.ledger.reserve("sms", ANN, "one key")
        assert reservation.release() is False
        with pytest.raises(SpendDenied, match="lost"):
            desk.send(ANN, key="one key")
    assert desk.left("day") == 4999


def test_a_key_is_good_again_when_nothing_was_sent(desk: Desk) -> None:
    with desk.ledger.reserve("sms", ANN, "one key") as reservation:
        reservation.dispatch()
        reservation.release()
    with desk.ledger.reserve("sms", ANN, "one key"):
        pass
    desk.ledger.reserve("sms", ANN, "one key")
    desk.tested.advance(2 * MINUTE)
    desk.send(ANN, key="one key")
    assert desk.left("day") == 4999


def test_who_shares_a_key_can_t_take_back_what_another_dispatched(desk: Desk) -> None:
    mine, theirs = (desk.ledger.reserve("sms", ANN, "one key") for _ in range(2))
    mine.dispatch()
    assert theirs.release() is False
    assert desk.left("day") == 4999


def test_a_key_is_for_one_destination(desk: Desk) -> None:
    desk.send(ANN, key="one key")
    desk.send(mobile(2), key="one key")
    assert desk.left("day") == 4998


@pytest.mark.parametrize("known", [False, True])
def test_a_key_used_by_a_stranger_is_not_a_known_user_s_too(every_store: StoreUnderTest, known: bool) -> None:
    desk = Desk(every_store)
    desk.send(ANN, key="one key", known=known)
    with pytest.raises(SpendDenied) as caught:
        desk.send(ANN, key="one key", known=not known)
    assert caught.value.reason is Reason.KEY
    assert desk.left("day") == 4999


def test_a_day_after_the_dispatch_the_key_means_something_new(desk: Desk) -> None:
    desk.send(ANN, key="one key")
    desk.tested.advance(DAY - 1)
    with pytest.raises(SpendDenied, match="lost"):
        desk.send(ANN, key="one key")
    desk.tested.advance(1)
    desk.send(ANN, key="one key")


@pytest.mark.parametrize("cost", [0, -1, True, 1.0])
def test_a_cost_that_is_none_is_the_application_s_mistake(desk: Desk, cost: int) -> None:
    with pytest.raises(ValueError, match="cost"):
        desk.ledger.reserve("sms", ANN, cost=cost)


def test_a_destination_that_can_t_be_read_is_the_client_s(desk: Desk) -> None:
    for to in (None, "", "12", "a@b.example"):
        with pytest.raises(IdentityError):
            desk.ledger.reserve("sms", to)
    with pytest.raises(IdentityError):
        desk.ledger.reserve("mail", mobile(1))


def test_an_unknown_channel_is_named(desk: Desk) -> None:
    with pytest.raises(ConfigurationError, match="there is no channel 'fax'; use one of mail, sms"):
        desk.ledger.reserve("fax")


def test_what_happens_is_told_without_saying_to_whom(desk: Desk) -> None:
    desk.send(ANN, key="one key")
    assert desk.refusal("+19005550100") is Reason.TYPE_REFUSED
    assert desk.told.of(SpendReserved) == [SpendReserved("sms", "strangers", 1, 499)]
    assert desk.told.of(SpendRefused) == [SpendRefused("sms", "strangers", "type_refused", ())]
    text = repr(desk.told.events) + repr(desk.ledger.reserve("sms", ANN))
    assert not any(part in text for part in (ANN, ANN[1:], "one key"))


def test_the_ledger_is_what_the_sender_asks_for(desk: Desk) -> None:
    spending: Spending = desk.ledger
    assert spending.reserve("sms", ANN, "one key", device=False).dispatch()
    assert not spending.is_spent("sms", False)


def test_every_channel_keeps_its_own_hold(tested: StoreUnderTest) -> None:
    channel = replace(Desk(tested).ledger.channel("sms"), hold=MINUTE)
    desk = Desk(tested, {"sms": channel})
    desk.ledger.reserve("sms", ANN)
    tested.advance(MINUTE)
    assert desk.left("day") == 5000
