"""Breakers: messages that nobody uses stop, for strangers there, for a while; nobody else notices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from authguard.clock import SECOND
from authguard.events import SpendAlarm
from authguard.spend import CHANNELS, Breaker, Reason, SpendDenied, budget
from authguard.testing import StoreUnderTest
from tests.spend.desk import DAY, HOUR, MINUTE, Desk, mobile

SCATTERED = [mobile(1000 * number) for number in range(400)]
"""Numbers of which no two are of one range."""


def pump(desk: Desk, numbers: list[str], every: int = 20 * SECOND) -> int:
    """Send a message to each number, some time apart, and use none; return how many went out."""
    sent = 0
    for number in numbers:
        sent += desk.refusal(number) is None
        desk.tested.advance(every)
    return sent


def honest(desk: Desk, hours: int) -> int:
    """Send two messages a minute of which every fourth stays unused; return how many were refused."""
    refused = 0
    for number in range(120 * hours):
        to = mobile(1000 * number + hours)
        try:
            key = desk.send(to)
        except SpendDenied:
            refused += 1
        else:
            if number % 4:
                desk.verify(to, key)
        desk.tested.advance(30 * SECOND)
    return refused


def test_a_thousand_numbers_of_one_range_get_twenty(every_store: StoreUnderTest) -> None:
    desk = Desk(every_store)
    assert desk.send_many([mobile(number) for number in range(100)]) == 20
    assert desk.refusal(mobile(999)) is Reason.RANGE
    assert desk.refusal(mobile(1000)) is None, "the next range"
    assert desk.refusal(mobile(500), known=True) is None


def test_numbers_of_a_range_that_are_used_count_no_more(desk: Desk) -> None:
    for number in range(100):
        desk.verify(mobile(number), desk.send(mobile(number)))
    assert desk.send_many([mobile(number) for number in range(100, 200)]) == 20


def test_a_code_used_twice_is_one(desk: Desk) -> None:
    key = desk.send(mobile(0))
    desk.send_many([mobile(number) for number in range(1, 20)])
    for _ in range(3):
        desk.verify(mobile(0), key)
    assert desk.send_many([mobile(number) for number in range(20, 40)]) == 1


def test_another_key_or_number_proves_nothing(desk: Desk) -> None:
    key = desk.send(mobile(0))
    desk.send_many([mobile(number) for number in range(1, 20)])
    desk.verify(mobile(0), "another key")
    desk.verify(mobile(1), key)
    assert desk.refusal(mobile(20)) is Reason.RANGE


def test_what_was_given_back_was_not_sent(desk: Desk) -> None:
    for number in range(100):
        with desk.ledger.reserve("sms", mobile(number)) as reservation:
            reservation.dispatch()
            reservation.release()
    assert desk.send_many([mobile(number) for number in range(100, 200)]) == 20


def test_pumping_stops_strangers_in_that_country_alone(every_store: StoreUnderTest) -> None:
    desk = Desk(every_store)
    sent = pump(desk, SCATTERED[:60])
    assert 20 < sent < 60
    assert desk.refusal(SCATTERED[99]) is Reason.UNVERIFIED
    assert desk.refusal(SCATTERED[99], known=True) is None
    assert desk.refusal(mobile(1, "DE")) is None
    (alarm,) = desk.told.of(SpendAlarm)
    assert alarm == SpendAlarm("sms", "GB", 21, 20)


def test_a_message_younger_than_a_code_s_life_is_no_sign(desk: Desk) -> None:
    assert pump(desk, SCATTERED[:60], every=SECOND) == 60


def test_the_twenty_first_unused_message_trips_it_and_not_the_twentieth(desk: Desk) -> None:
    assert pump(desk, SCATTERED[:20], every=0) == 20
    desk.tested.advance(6 * MINUTE)
    assert desk.refusal(SCATTERED[20]) is None
    desk.tested.advance(6 * MINUTE)
    assert desk.refusal(SCATTERED[21]) is Reason.UNVERIFIED


def test_the_message_that_trips_it_costs_nothing(desk: Desk) -> None:
    pump(desk, SCATTERED[:21], every=0)
    desk.tested.advance(6 * MINUTE)
    before = desk.left("day")
    assert desk.refusal(SCATTERED[21]) is Reason.UNVERIFIED
    assert desk.left("day") == before


def test_it_ends_by_itself(desk: Desk) -> None:
    pump(desk, SCATTERED[:21], every=0)
    desk.tested.advance(6 * MINUTE)
    with pytest.raises(SpendDenied) as caught:
        desk.send(SCATTERED[21])
    assert caught.value.retry_after == 2 * HOUR
    desk.tested.advance(HOUR)
    with pytest.raises(SpendDenied) as caught:
        desk.send(SCATTERED[21])
    assert caught.value.retry_after == HOUR
    desk.tested.advance(HOUR)
    assert desk.refusal(SCATTERED[21]) is None
    assert len(desk.told.of(SpendAlarm)) == 1


def test_where_codes_are_used_more_may_go_unused(tested: StoreUnderTest) -> None:
    sms = replace(CHANNELS["sms"], caps={"day": budget("100000/1d")}, destination=None, range_limit=None)
    desk = Desk(tested, {"sms": replace(sms, breaker=Breaker(window=DAY, rest=DAY, meanwhile=0))})
    for _ in range(7):
        for number in SCATTERED[:150]:
            desk.verify(number, desk.send(number))
        tested.advance(DAY)
    tested.advance(-DAY // 2)
    unused = pump(desk, [mobile(1000 * number + 7) for number in range(100)], every=10 * SECOND)
    # 1,050 codes used in seven days are 150 a day, and a fifth of those 30.
    alarm = desk.told.of(SpendAlarm)[0]
    assert (alarm.allowed, alarm.unwanted) == (30, 31)
    assert unused >= 31


def test_unused_messages_make_no_more_of_them_usual(desk: Desk) -> None:
    for day in range(6):
        pump(desk, [mobile(1000 * number + day) for number in range(20)], every=0)
        desk.tested.advance(DAY)
    pump(desk, SCATTERED[100:121], every=0)
    desk.tested.advance(6 * MINUTE)
    assert desk.refusal(SCATTERED[300]) is Reason.UNVERIFIED


def test_honest_codes_that_go_unused_stop_nobody_also_after_an_attack(desk: Desk) -> None:
    """Nothing is usual yet on the first day, nor after days in which the gate was shut."""
    assert honest(desk, 2) == 0
    pump(desk, [mobile(1000 * number + 9) for number in range(180)])
    assert desk.refusal(SCATTERED[99]) is Reason.UNVERIFIED
    desk.tested.advance(2 * HOUR)
    assert honest(desk, 3) == 0


def test_codes_that_others_use_hide_half_as_many_that_nobody_wants(every_store: StoreUnderTest) -> None:
    desk = Desk(every_store)
    for number in [mobile(1000 * number + 1) for number in range(100)]:
        desk.verify(number, desk.send(number))
    pump(desk, SCATTERED[:80])
    (alarm,) = desk.told.of(SpendAlarm)
    assert (alarm.allowed, alarm.unwanted) == (50, 51)
    desk.tested.advance(2 * HOUR)
    pump(desk, SCATTERED[100:180])
    assert desk.told.of(SpendAlarm)[1].allowed == 20, "they were used in another hour"


def test_a_breaker_can_be_left_out(tested: StoreUnderTest) -> None:
    desk = Desk(tested, {"sms": replace(CHANNELS["sms"], breaker=None, range_limit=None)})
    assert pump(desk, [mobile(number) for number in range(100)]) == 100


@pytest.mark.parametrize(
    "changes", [{"floor": 0}, {"percent": 101}, {"meanwhile": -1}, {"window": 0}, {"life": 0}, {"rest": 0}]
)
def test_a_breaker_refuses_what_can_t_work(changes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="breaker"):
        Breaker(**changes)
