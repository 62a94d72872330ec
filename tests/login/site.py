"""A site with doors that a watchtower looks over, and the people and machines that come."""

from __future__ import annotations

from collections.abc import Iterable

from authguard.clock import SECOND
from authguard.events import AlarmRaised
from authguard.identity import address_keys
from authguard.limits import Outcome
from authguard.login.detection import Watchtower
from authguard.policy import PRESETS, Policy, Scope, Subject
from tests.login.door_rig import DoorRig


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
