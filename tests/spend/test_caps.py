"""Caps: what a channel may spend in a day and in an hour, in a country, on one destination; and whose share it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from authguard.events import SpendRefused
from authguard.identity import SendRules
from authguard.limits.limit import LARGEST_BUDGET
from authguard.spend import CHANNELS, Channel, Kind, Reason, SpendDenied, budget
from authguard.testing import StoreUnderTest
from tests.spend.desk import DAY, HOUR, MINUTE, PEPPER, Desk, ledger_over, mobile

SMS = replace(CHANNELS["sms"], breaker=None, range_limit=None)
"""The shipped channel without the breakers, which other tests are about."""


def desk_with(tested: StoreUnderTest, **changes: object) -> Desk:
    """Return a desk whose channel differs in ``changes``."""
    return Desk(tested, {"sms": replace(SMS, **changes)})  # type: ignore[arg-type]


def test_a_thousand_numbers_cost_no_more_than_the_caps(tested: StoreUnderTest) -> None:
    desk = desk_with(tested, caps={"day": budget("500/1d"), "hour": budget("50/1h")})
    sent = []
    for hour in range(20):
        sent.append(desk.send_many([mobile(50 * hour + number) for number in range(50)]))
        tested.advance(HOUR + MINUTE)
    assert sent == [40] * 10 + [0] * 10, "all but the fifth that is kept for known users"


def test_an_hour_straddled_is_no_second_hour(every_store: StoreUnderTest) -> None:
    desk = desk_with(every_store, caps={"hour": budget("50/1h")}, known_share=0)
    every_store.advance(HOUR - every_store.store.now() % HOUR - MINUTE)
    before = desk.send_many([mobile(number) for number in range(30)])
    every_store.advance(2 * MINUTE)
    after = desk.send_many([mobile(number) for number in range(100, 160)])
    assert (before, after) == (30, 20)
    every_store.advance(HOUR + MINUTE)
    assert desk.send_many([mobile(number) for number in range(200, 260)]) == 50


def test_both_caps_hold(tested: StoreUnderTest) -> None:
    desk = desk_with(tested, caps={"day": budget("100/1d"), "hour": budget("10/1h")}, known_share=0)
    sent = 0
    for hour in range(23):
        sent += desk.send_many([mobile(100 * hour + number) for number in range(12)])
        tested.advance(HOUR + MINUTE)
    assert sent == 100
    with pytest.raises(SpendDenied) as caught:
        desk.send(mobile(9999))
    assert caught.value.reason is Reason.EXHAUSTED
    assert desk.told.of(SpendRefused)[-1].full == ("day", "day:strangers")
    assert caught.value.retry_after is not None
    tested.advance(caught.value.retry_after - 1)
    assert desk.refusal(mobile(9999)) is Reason.EXHAUSTED
    tested.advance(1)
    assert desk.refusal(mobile(9999)) is None


def test_money_is_counted_in_minor_units(tested: StoreUnderTest) -> None:
    desk = desk_with(
        tested, caps={"day": budget("100/1d")}, known_share=0, price=7, prices={"BD": 30}, unit="EUR cents"
    )
    desk.send(mobile(1))
    desk.send(mobile(1, "BD"))
    assert desk.left("day") == 63
    desk.ledger.reserve("sms", mobile(2), cost=50)
    assert desk.left("day") == 13
    assert desk.refusal(mobile(1, "BD")) is Reason.EXHAUSTED
    assert desk.refusal(mobile(3)) is None
    with pytest.raises(SpendDenied) as caught:
        desk.ledger.reserve("sms", mobile(4), cost=101)
    assert caught.value.retry_after is None, "no time makes room for that"


def test_strangers_leave_the_known_users_share(tested: StoreUnderTest) -> None:
    desk = desk_with(tested, caps={"hour": budget("50/1h")})
    assert desk.send_many([mobile(number) for number in range(60)]) == 40
    assert desk.ledger.is_spent("sms", known=False)
    assert not desk.ledger.is_spent("sms", known=True)
    assert desk.send_many([mobile(number) for number in range(100, 120)], known=True) == 10
    assert desk.ledger.is_spent("sms", known=True)


def test_known_users_leave_the_strangers_share(tested: StoreUnderTest) -> None:
    desk = desk_with(tested, caps={"hour": budget("50/1h")})
    assert desk.send_many([mobile(number) for number in range(60)], known=True) == 40
    assert desk.send_many([mobile(number) for number in range(100, 120)]) == 10


def test_a_country_has_a_cap_of_its_own_with_shares_of_its_own(tested: StoreUnderTest) -> None:
    desk = desk_with(tested, countries={"BD": budget("10/1d")}, country=budget("20/1d"))
    sent = {region: desk.send_many([mobile(number, region) for number in range(30)]) for region in ("BD", "DE", "GB")}
    assert sent == {"BD": 8, "DE": 16, "GB": 16}
    assert desk.refusal(mobile(99, "BD")) is Reason.COUNTRY
    assert desk.send_many([mobile(number, "BD") for number in range(100, 130)], known=True) == 2


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        ("+19005550100", Reason.TYPE_REFUSED),
        ("+18765550100", Reason.REGION_REFUSED),
        ("+881612345678", Reason.REGION_REFUSED),
        ("+979123456789", Reason.REGION_REFUSED),
        ("+18095550100", Reason.REGION_REFUSED),
    ],
)
def test_nothing_goes_where_it_may_not_go(tested: StoreUnderTest, number: str, reason: Reason) -> None:
    desk = desk_with(tested, rules=SendRules(regions=frozenset({"US", "GB"})))
    before = tested.dump()
    assert desk.refusal(number, known=True) is reason
    assert desk.refusal(number) is reason
    assert tested.dump() == before
    assert desk.refusal("+12015550100") is None


def test_one_destination_gets_only_so_much_however_it_is_spelt(tested: StoreUnderTest) -> None:
    desk = desk_with(tested, default_region="GB")
    spellings = ["+447400000001", "07400 000001", "0044 7400 000001", "+44 (0) 7400 000001", "tel:+447400000001"]
    assert desk.send_many(spellings * 2) == 5
    assert desk.refusal(spellings[0]) is Reason.DESTINATION
    assert desk.refusal(mobile(2)) is None


def test_strangers_can_t_use_up_what_a_known_device_gets(tested: StoreUnderTest) -> None:
    desk = desk_with(tested)
    assert desk.send_many([mobile(1)] * 9) == 5
    assert desk.send_many([mobile(1)] * 9, known=True) == 5


def test_mail_is_counted_by_mailbox(desk: Desk) -> None:
    spellings = ["j.doe@gmail.com", "jdoe+a@gmail.com", "JDOE@googlemail.com"]
    refused = [desk.refusal(each, "mail") for each in spellings * 2]
    assert refused == [None] * 5 + [Reason.DESTINATION]


def test_a_paid_interface_needs_no_destination(tested: StoreUnderTest) -> None:
    desk = Desk(tested, {"geocoding": Channel("geocoding", caps={"day": budget("3/1d")}, known_share=0)})
    assert [desk.refusal(channel="geocoding") for _ in range(4)] == [None] * 3 + [Reason.EXHAUSTED]


def test_channels_are_apart(desk: Desk) -> None:
    desk.send(mobile(1))
    assert (desk.left("day"), desk.left("day", "mail")) == (4999, 5000)


def test_applications_are_apart(tested: StoreUnderTest) -> None:
    desk = Desk(tested)
    desk.send(mobile(1))
    other = type(PEPPER)("a secret for these tests only", app="another")
    assert all(each.spent == 0 for each in type(desk.ledger)(tested.store, other).balances())


def test_a_rotated_pepper_keeps_what_was_spent(tested: StoreUnderTest) -> None:
    desk = Desk(tested)
    desk.send(mobile(1))
    rotated = type(PEPPER)("a newer secret for these tests", app="tests", previous=["a secret for these tests only"])
    ledger = type(desk.ledger)(tested.store, rotated)
    assert next(each.spent for each in ledger.balances() if each.cap == "day") == 1
    for _ in range(4):
        ledger.reserve("sms", mobile(1)).dispatch()
    with pytest.raises(SpendDenied, match="destination"):
        ledger.reserve("sms", mobile(1))


def test_balances_add_up(every_store: StoreUnderTest) -> None:
    desk = desk_with(every_store, caps={"day": budget("100/1d")}, price=3)
    desk.send(mobile(1))
    desk.ledger.reserve("sms", mobile(2))
    desk.send(mobile(3), known=True)
    numbers = {each.cap: (each.spent, each.reserved, each.left) for each in desk.ledger.balances()}
    assert numbers == {
        "total": (6, 3, LARGEST_BUDGET - 9),
        "day": (6, 3, 91),
        "day:strangers": (3, 3, 74),
        "day:known": (3, 0, 77),
    }
    before = every_store.dump()
    desk.ledger.balances()
    assert every_store.dump() == before


def test_a_lowered_cap_hides_nothing_that_was_spent(every_store: StoreUnderTest) -> None:
    for number in range(5):
        desk_with(every_store, caps={"day": budget("100/1d")}).send(mobile(number))
    lowered = desk_with(every_store, caps={"day": budget("3/1d")})
    shown = {each.cap: (each.spent, each.reserved, each.left) for each in lowered.ledger.balances()}
    assert (shown["day"], shown["day:strangers"], shown["day:known"]) == ((5, 0, 0), (5, 0, 0), (0, 0, 2))


def test_countries_with_caps_of_their_own_have_balances_of_their_own(every_store: StoreUnderTest) -> None:
    desk = desk_with(every_store, countries={"GB": budget("10/1d"), "DE": budget("5/1d")})
    desk.send(mobile(1))
    desk.send(mobile(2), known=True)
    desk.ledger.reserve("sms", mobile(3, "DE"))
    shown = {each.cap: (each.spent, each.reserved, each.left) for each in desk.ledger.balances()}
    assert {cap: numbers for cap, numbers in shown.items() if cap[:2].isupper()} == {
        "GB": (2, 0, 8),
        "GB:strangers": (1, 0, 7),
        "GB:known": (1, 0, 7),
        "DE": (0, 1, 4),
        "DE:strangers": (0, 1, 3),
        "DE:known": (0, 0, 4),
    }


def test_the_total_is_that_of_a_week(tested: StoreUnderTest) -> None:
    desk = Desk(tested)
    desk.send(mobile(1))
    tested.advance(3 * DAY)
    total = next(each for each in desk.ledger.balances() if each.cap == "total")
    assert (total.spent, desk.left("day")) == (1, 5000)


@pytest.mark.parametrize(
    "changes",
    [
        {"caps": {}},
        {"caps": {"Day": budget("1/1d")}},
        {"caps": {"range": budget("1/1d")}},
        {"caps": {"day": type(budget("1/1d"))(5, DAY)}},
        {"price": 0},
        {"prices": {"GB": 0}},
        {"known_share": 60, "stranger_share": 41},
        {"known_share": -1},
        {"known_after": 200 * DAY},
        {"hold": 0},
        {"keep": MINUTE},
        {"range_digits": 7},
    ],
)
def test_a_channel_refuses_what_can_t_work(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        replace(SMS, **changes)  # type: ignore[arg-type]


def test_a_share_is_at_least_one(tested: StoreUnderTest) -> None:
    ledger = ledger_over(tested.store, {"api": Channel("api", Kind.PLAIN, caps={"day": budget("1/1d")})})
    ledger.reserve("api").dispatch()
    with pytest.raises(SpendDenied):
        ledger.reserve("api")
