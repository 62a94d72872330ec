"""Nobody has strangers challenged all over the site from a network or two, for hours or at all (L4)."""

from __future__ import annotations

from authguard.clock import SECOND
from authguard.limits import Outcome
from authguard.policy import PRESETS, Scope, Subject
from tests.login.door_rig import offered
from tests.login.site import Site, names, person

MINUTE = 60


def test_one_address_that_solves_every_challenge_has_nobody_else_challenged() -> None:
    site = Site()
    solved = 0
    for name in names(6 * 30):
        site.wait(2 * MINUTE)
        refused = site.guess("wrong", account=name, ip="198.51.100.7")
        if not refused.allowed:
            offer = offered(refused)
            site.wait(offer.wait // SECOND)
            solved += site.guess("wrong", answer=offer.token, account=name, ip="198.51.100.7").allowed
        assert site.log_in(account="email:honest@example.com", ip="203.0.113.9").allowed
    assert solved > 5 * 30
    assert not site.alarms


def test_nor_do_two_addresses_nor_all_addresses_of_a_network() -> None:
    for addresses in (
        ("198.51.100.7", "203.0.113.7"),
        tuple(f"198.51.100.{number}" for number in range(1, 255)),
        tuple(f"2001:db8:7:{number:x}::1" for number in range(0, 65536, 97)),
    ):
        site = Site()
        for _ in range(3):
            site.fail(names(300), *addresses)
            site.wait(5 * MINUTE)
        assert not site.alarms


def test_what_stands_is_not_kept_up_from_one_network() -> None:
    site = Site()
    site.fail(names(20, "victim"), *(f"10.{number}.0.1" for number in range(20)))
    assert site.alarms
    for name in names(4 * 60):
        site.wait(MINUTE)
        site.fail([name], "198.51.100.7")
    assert site.log_in(account="email:honest@example.com", ip="203.0.113.9").allowed


def test_nor_with_the_same_few_accounts_again_and_again_from_fewer_networks_than_it_takes_to_raise_it() -> None:
    site = Site()
    victims, networks = names(12, "victim"), [f"10.{number}.0.1" for number in range(4)]
    site.fail(victims, *networks)
    assert site.alarms
    for _ in range(60):
        site.wait(2 * MINUTE)
        for number, network in enumerate(networks[:3]):
            site.fail(victims[number::4], network)
    assert site.log_in(account="email:honest@example.com", ip="203.0.113.9").allowed


def test_failing_on_one_account_again_and_again_hides_none_of_the_next() -> None:
    site = Site()
    networks = [f"10.{number}.0.1" for number in range(7)]
    for _ in range(4):
        for number, network in enumerate(networks):
            site.fail(names(1, f"first{number}-"), network)
        site.wait(MINUTE)
    assert not site.alarms
    for number, network in enumerate(networks):
        site.fail(names(2, f"then{number}-"), network)
    assert site.alarms


def test_a_botnet_is_seen_at_the_twentieth_account_as_ever() -> None:
    for each in (1, 3):
        site = Site()
        for name in names(30, "honest"):
            site.tower.watch(PRESETS["login"], person(name, "192.0.2.1"), Outcome.SUCCESS)
        victims = names(20, "victim")
        site.fail(victims[:19], *(f"10.{number}.0.1" for number in range(1 + 20 // each)))
        assert not site.alarms
        site.fail(victims[19:], "10.99.0.1")
        assert site.alarms


def test_who_fails_beyond_the_network_s_share_and_comes_through_has_come_through() -> None:
    site = Site()
    office = names(30, "clerk")
    site.fail(office, "192.0.2.1")
    for name in office:
        site.tower.watch(PRESETS["login"], person(name, "192.0.2.1"), Outcome.SUCCESS)
    site.fail(names(20, "victim"), *(f"10.{number}.0.1" for number in range(20)))
    assert (site.alarms[0].failing, site.alarms[0].succeeding) == (20, 30)


def test_where_there_is_no_address_every_account_counts() -> None:
    site = Site()
    for name in names(10):
        site.tower.watch(PRESETS["login"], Subject({Scope.ID: name, Scope.AUTHENTICATOR: name}), Outcome.FAILURE)
    assert site.alarms
