"""Known users: who used a code of ours long ago is served whatever strangers do; farmed accounts get little."""

from __future__ import annotations

from dataclasses import replace

from authguard.events import SpendReserved
from authguard.spend import CHANNELS, Reason, SpendDenied, budget
from authguard.testing import StoreUnderTest
from tests.spend.desk import DAY, HOUR, Desk, mobile

ANN = mobile(1)


def lane(desk: Desk, to: str) -> str:
    """Send a message and return the lane it went by."""
    desk.send(to)
    return desk.told.of(SpendReserved)[-1].lane


def test_a_destination_is_known_a_week_after_it_was_verified(every_store: StoreUnderTest) -> None:
    desk = Desk(every_store)
    desk.verify(ANN, desk.send(ANN))
    every_store.advance(7 * DAY - 1)
    assert lane(desk, ANN) == "strangers"
    every_store.advance(3 * HOUR)
    assert lane(desk, ANN) == "known"
    assert lane(desk, mobile(2)) == "strangers"


def test_verifying_again_takes_nothing_away(desk: Desk) -> None:
    desk.make_known(ANN)
    desk.verify(ANN, desk.send(ANN))
    assert lane(desk, ANN) == "known"


def test_who_has_not_been_seen_for_long_is_a_stranger_again(desk: Desk) -> None:
    desk.make_known(ANN)
    desk.tested.advance(180 * DAY)
    assert lane(desk, ANN) == "strangers"


def test_a_message_that_nobody_used_makes_nobody_known(desk: Desk) -> None:
    desk.send(ANN)
    desk.tested.advance(8 * DAY)
    assert lane(desk, ANN) == "strangers"


def test_a_spent_channel_serves_known_users(tested: StoreUnderTest) -> None:
    sms = replace(CHANNELS["sms"], caps={"hour": budget("50/1h")}, breaker=None, range_limit=None)
    desk = Desk(tested, {"sms": sms})
    for number in range(5):
        desk.verify(mobile(number), desk.send(mobile(number)))
    tested.advance(8 * DAY)
    assert desk.send_many([mobile(number) for number in range(100, 200)]) == 40
    assert desk.refusal(mobile(99)) is Reason.EXHAUSTED
    assert desk.send_many([mobile(number) for number in range(5)]) == 5


def test_a_closed_country_serves_known_users(desk: Desk) -> None:
    desk.make_known(ANN)
    desk.send_many([mobile(1000 * number) for number in range(1, 60)])
    desk.tested.advance(HOUR // 2)
    assert desk.refusal(mobile(99_000)) is Reason.UNVERIFIED
    assert desk.refusal(ANN) is None


def test_farmed_destinations_get_a_few_each_and_leave_the_rest(tested: StoreUnderTest) -> None:
    sms = replace(CHANNELS["sms"], caps={"day": budget("200/1d")}, breaker=None, range_limit=None)
    desk = Desk(tested, {"sms": sms})
    farmed, owner = [mobile(number) for number in range(6)], mobile(500)
    for number in (*farmed, owner):
        desk.verify(number, desk.send(number))
    tested.advance(8 * DAY)
    assert desk.send_many(farmed * 40) == 30, "five a day each"
    assert desk.send_many([mobile(number) for number in range(1000, 1200)]) == 160
    assert desk.refusal(owner) is None


def test_farmed_accounts_with_their_browsers_use_nothing_of_what_is_kept(tested: StoreUnderTest) -> None:
    sms = replace(CHANNELS["sms"], caps={"hour": budget("50/1h")}, breaker=None, range_limit=None)
    desk = Desk(tested, {"sms": sms})
    desk.make_known(ANN)
    tested.advance(HOUR)
    farmed = [mobile(number) for number in range(100, 200)]
    assert sum(sends(desk, number, device=True) for number in farmed) == 40
    assert sends(desk, ANN, device=True)


def test_strangers_use_up_nothing_of_what_a_known_browser_gets_at_its_destination(desk: Desk) -> None:
    assert desk.send_many([ANN] * 10) == 5
    assert sum(sends(desk, ANN, device=True) for _ in range(10)) == 5


def sends(desk: Desk, number: str, *, device: bool) -> bool:
    """Send a message to ``number``; return whether it left."""
    try:
        return desk.ledger.reserve("sms", number, device=device).dispatch()
    except SpendDenied:
        return False


def test_known_by_one_channel_is_not_known_by_another(tested: StoreUnderTest) -> None:
    desk = Desk(tested, {"sms": CHANNELS["sms"], "voice": replace(CHANNELS["sms"], name="voice")})
    desk.make_known(ANN)
    desk.send(ANN, "voice")
    assert desk.told.of(SpendReserved)[-1].lane == "strangers"
