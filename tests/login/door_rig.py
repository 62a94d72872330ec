"""A door over a real in-process store, and browsers that keep their cookies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from authguard.guard import Attempt, Offer, Seal
from authguard.login.challenge import Challenger, DelayChallenger
from authguard.login.devices import Devices
from authguard.login.door import Door, Visit
from authguard.login.notices import Notice, Notices
from authguard.policy import PRESETS, Policy, Subject
from authguard.stores.base import Store
from tests.guard.rig import Rig, subject

SECRET = b"s" * 32
HERE: dict[str, Any] = {"ip": "203.0.113.5"}


class Browser:
    """A jar of cookies, by name."""

    def __init__(self) -> None:
        self.jar: dict[str, str] = {}

    def copy(self) -> Browser:
        """Return another browser with the same cookies: a thief's."""
        thief = Browser()
        thief.jar = dict(self.jar)
        return thief


class DoorRig(Rig):
    """A guard's rig with a door in front."""

    def __init__(
        self,
        policies: Mapping[str, Policy] = PRESETS,
        store: Store | None = None,
        deliver: Callable[[Notice], object] | None = None,
        challenger: Challenger | None = None,
        **more: Any,
    ) -> None:
        super().__init__(policies, store, **more)
        self.seal = Seal([SECRET], app="test", purpose="challenge")
        self.devices = Devices(self.pseudonymizer, Seal([SECRET], app="test", purpose="device"), self.resilient)
        self.challenger = challenger or DelayChallenger(self.seal, self.pseudonymizer)
        self.notices = Notices(self.resilient, self.pseudonymizer, self.recorder, deliver)
        self.door = Door(self.guard, self.resilient, self.pseudonymizer, self.devices, self.challenger, self.notices)

    def subject(self, **who: Any) -> Subject:
        """Return who asks."""
        return subject(**who)

    def begin(
        self, secret: str, browser: Browser | None = None, answer: str = "", policy: str = "login", **who: Any
    ) -> Attempt:
        """Begin an attempt and leave it under way."""
        asks = subject(**who)
        device = self.devices.recognise(asks.own_id, browser.jar) if browser is not None else None
        return self.door.attempt(policy, Visit(asks, device, answer), secret)

    def guess(self, secret: str, browser: Browser | None = None, answer: str = "", **who: Any) -> Attempt:
        """Try ``secret`` and be wrong."""
        attempt = self.begin(secret, browser, answer, **who)
        attempt.fail()
        return attempt

    def log_in(self, browser: Browser | None = None, answer: str = "", **who: Any) -> Attempt:
        """Try the right secret; a browser becomes a known device."""
        attempt = self.begin("right", browser, answer, **who)
        attempt.succeed()
        if attempt.allowed and browser is not None:
            assert attempt.decision is not None
            crumbs = self.devices.mint(subject(**who).own_id, attempt.decision.reply.now, browser.jar.items())
            for crumb in crumbs:
                browser.jar.pop(crumb.name, None)
                if crumb.life:
                    browser.jar[crumb.name] = crumb.value
        return attempt

    def burn(self, **who: Any) -> None:
        """Use up an account's tries from many networks, as strangers do."""
        for number in range(8):
            self.guess(f"wrong{number} at {self.clock.now()}", ip=f"198.51.{number}.7", **who)


def offered(attempt: Attempt) -> Offer:
    """Return the challenge that a refused attempt is offered."""
    assert attempt.refused is not None
    assert attempt.refused.offer is not None
    return attempt.refused.offer


def ask(rig: DoorRig, **who: Any) -> str:
    """Ask for a challenge on the burnt account and wait as long as it says."""
    offer = offered(rig.guess("anything", **{**HERE, **who}))
    rig.clock.advance(offer.wait)
    return offer.token
