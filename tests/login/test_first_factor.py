"""A right password tells of its account, whatever factor is to come; an attempt that nobody looked at tells nothing."""

from __future__ import annotations

import pytest

from authguard.errors import Overloaded
from authguard.limits import Outcome
from authguard.policy import PRESETS
from tests.login.door_rig import Browser
from tests.login.site import Site, names, person


def address(number: int) -> str:
    return f"10.{number}.0.1"


def fail(site: Site, count: int) -> None:
    site.fail(names(count, "mistyped"), *map(address, range(count)))


def test_where_accounts_have_second_factors_typing_errors_alone_are_no_attack() -> None:
    site = Site()
    for number, name in enumerate(names(100, "person")):
        site.begin("right", account=name, ip=address(number)).partial()
    fail(site, 40)
    assert not site.alarms


def test_the_first_factor_of_one_account_again_and_again_dilutes_nothing() -> None:
    site = Site()
    own = person("email:mallory@example.com", "192.0.2.1")
    for number in range(100):
        site.tower.watch(PRESETS["login"], own, Outcome.PARTIAL)
        site.wait(30 if number % 50 == 49 else 0)
    fail(site, 20)
    assert [(alarm.failing, alarm.succeeding) for alarm in site.alarms] == [(10, 1), (20, 1), (20, 1)]


def test_an_overload_of_the_attacker_s_own_making_is_no_right_password() -> None:
    site = Site()
    for number, name in enumerate(names(100, "made-up")):
        with pytest.raises(Overloaded), site.begin("whatever", account=name, ip=address(number)):
            raise Overloaded("hash_slots")
    fail(site, 20)
    assert [alarm.succeeding for alarm in site.alarms] == [0, 0, 0]


def test_nor_is_a_cookie_that_was_revoked() -> None:
    site, browser = Site(), Browser()
    site.log_in(browser)
    site.wait(2 * 3600)
    site.devices.revoke("typed:email:owner@example.com")
    site.guess("wrong", browser)
    fail(site, 20)
    assert {alarm.succeeding for alarm in site.alarms} == {0}
