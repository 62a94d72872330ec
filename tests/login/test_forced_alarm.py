"""Nobody has strangers challenged all over the site from a network or two, for hours or at all (L4)."""

from __future__ import annotations

from collections.abc import Iterable

from authguard.clock import SECOND
from authguard.events import AlarmRaised
from authguard.identity import address_keys
from authguard.limits import Outcome
from authguard.login.detection import Watchtower
from authguard.policy import PRESETS, Policy, Scope, Subject
from tests.login.door_rig import DoorRig, offered

MINUTE = 60


class Site(DoorRig):
    """A door that a watchtower looks over, in the time of the rig's clock."""

    def __init__(self) -> None:
        super().__init__(watch=self._watch)
        self.tower = Watchtower(self.planner, self.resilient, lambda: self.clock.now() / SECOND)
        self.tower.man(PRESETS.values(), self.guard.shut, self.recorder)

    @property
    def alarms(self) -> list[AlarmRaised]:
        """Those that were raised; several detectors look, each raises its own."""
        return [event for event in self.recorder.events if isinstance(event, AlarmRaised)]

    def _watch(self, policy: Policy, subject: Subject, outcome: Outcome) -> None:
        self.tower.watch(policy, subject, outcome)

    def wait(self, seconds: int) -> None:
        self.clock.advance(seconds * SECOND)

    def fail(self, names: Iterable[str], *addresses: str) -> None:
        """Have each of ``names`` fail once, from ``addresses`` in turn; the layers in between let everything pass."""
        for number, name in enumerate(names):
            self.tower.watch(PRESETS["login"], person(name, addresses[number % len(addresses)]), Outcome.FAILURE)


def person(name: str, ip: str) -> Subject:
    keys = address_keys(ip)
    values = {Scope.ID: name, Scope.AUTHENTICATOR: name, Scope.IP: keys.ip}
    return Subject({**values, Scope.SUBNET: keys.subnet, Scope.SITE: keys.site}, keys.ip, name)


def names(count: int, kind: str = "made-up") -> list[str]:
    return [f"email:{kind}{number}@example.com" for number in range(count)]


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
