"""Devices: the browsers that an account has logged in from, told by a sealed cookie."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from authguard.clock import SECOND
from authguard.durations import parse_duration
from authguard.errors import StoreError, TokenError
from authguard.guard import Attempt, Seal
from authguard.identity import Pseudonymizer
from authguard.limits import Algorithm, Counter, Limit, Mode, Plan
from authguard.limits.plan import KEY_SIZE
from authguard.policy import FailMode, Scope, Subject
from authguard.stores.resilient import ResilientStore

DEVICE_LIFE = parse_duration("180d")
"""Microseconds for which a device stays known after its last login, unless configured otherwise."""
MOST_COOKIES = 8
"""Accounts that one browser keeps a cookie of; the oldest has to go."""
REVOKED = "device-revoked"
"""The name of the counter that knows when an account's devices were last revoked."""
COOKIE = re.compile(r"__Host-authguard-[0-9a-f]{10}", re.ASCII)
"""What the cookies are called. The prefix keeps other hosts, and pages without TLS, from setting one (RFC 6265bis)."""
_PREFIX = "__Host-authguard-"
_ID = 16
_REVOKE = b"revoke."
_LOOK = b"looks.."


@dataclass(frozen=True, slots=True)
class Device:
    """A device that an account knows: its ``id``, the ``own_id`` of that account, and when its cookie was sealed."""

    id: str
    own_id: str
    at: int

    def take(self, subject: Subject) -> Subject:
        """Return ``subject`` as this device of the account that it tries."""
        values = {**subject.values, Scope.DEVICE: self.id}
        return replace(subject, values=values, client=f"device:{self.id}", known=True)


@dataclass(frozen=True, slots=True)
class Crumb:
    """A cookie to set: for ``life`` seconds, 0 to drop it."""

    name: str
    value: str
    life: int


class Devices:
    """Makes, reads and revokes the cookies of one application's accounts.

    An account is named by its own id, which is finer than the key it is counted under: two accounts that share a key
    know different devices. A cookie is never promoted: each login makes a new device id, whatever came with the
    request. ``life`` is in microseconds.
    """

    def __init__(
        self, pseudonymizer: Pseudonymizer, seal: Seal, store: ResilientStore, life: int = DEVICE_LIFE
    ) -> None:
        self._pseudonymizer = pseudonymizer
        self._seal = seal
        self._store = store
        self._life = life

    def recognise(self, own_id: str, cookies: Mapping[str, str]) -> Device | None:
        """Return the device of the account ``own_id`` that ``cookies`` prove.

        A forged, foreign or broken cookie is like none. Whether it is too old or revoked, the store's decision tells:
        see :meth:`look` and :meth:`is_void`.
        """
        for name in self._names(own_id):
            if name in cookies:
                device = self._open(own_id, cookies[name])
                if device is not None:
                    return device
        return None

    def look(self, device: Device) -> Counter:
        """Return the counter that tells, in the same store call, when the account's devices were last revoked."""
        return replace(self._revoked(device.own_id), member=_LOOK, mode=Mode.SHADOW, charges=False)

    def is_void(self, device: Device, attempt: Attempt) -> bool:
        """Return whether the decision of ``attempt``, with which :meth:`look` went, says that the device is void."""
        decision = attempt.decision
        if decision is None:
            return False
        reply = decision.reply
        layers = [counter.layer for counter in decision.plan.counters]
        wait = reply.waits[layers.index(REVOKED)] if REVOKED in layers else 0
        # The counter is full from a revocation on, for as long as devices live.
        revoked_at = reply.now + wait - self._life if wait else 0
        return device.at < revoked_at or device.at + self._life <= reply.now

    def mint(self, own_id: str, now: int, cookies: Iterable[tuple[str, str]]) -> list[Crumb]:
        """Return the cookies to set after a login: a new device of ``own_id``, and those that have to go.

        ``now`` is the store's time when the login began: devices revoked since then include the new one.
        """
        name, *former = self._names(own_id)
        value = self._seal.seal(secrets.token_bytes(_ID) + self._account(own_id)[0], now)
        others = {each: held for each, held in cookies if COOKIE.fullmatch(each) and each != name}
        ages = {each: self._age(held) for each, held in others.items()}
        newest = sorted((each for each in others if each not in former), key=lambda each: ages[each], reverse=True)
        gone = [each for each in others if each in former or ages[each] == 0 or each in newest[MOST_COOKIES - 1 :]]
        return [Crumb(name, value, self._life // SECOND), *(Crumb(each, "", 0) for each in gone)]

    def revoke(self, own_id: str) -> int:
        """Make every device of the account ``own_id`` a stranger's; return the store's time at which that was.

        Raises ``StoreError`` where the store can't be asked: nothing was revoked then.
        """
        decision = self._store.decide(Plan((self._revoked(own_id),)), FailMode.CLOSED).decision
        if decision is None:
            raise StoreError
        return max(decision.reply.stamps[0], decision.reply.now)

    def _revoked(self, own_id: str) -> Counter:
        # One member that is counted again and again: the latest revocation stands, without a moment in between.
        key, *previous = self._pseudonymizer.tags("device-revoked", own_id, size=KEY_SIZE)
        limit = Limit(1, self._life, Algorithm.DISTINCT)
        return Counter(REVOKED, key, limit, member=_REVOKE, previous=tuple(previous))

    def _open(self, own_id: str, value: str) -> Device | None:
        try:
            payload, at = self._seal.open(value)
        except TokenError:
            return None
        account = payload[_ID:]
        if not any(hmac.compare_digest(account, own) for own in self._account(own_id)):
            return None
        return Device(payload[:_ID].hex(), own_id, at)

    def _age(self, value: str) -> int:
        try:
            return self._seal.open(value).at
        except TokenError:
            return 0

    def _names(self, own_id: str) -> list[str]:
        """Return the names of the account's cookie under the current secret and the previous ones."""
        keys = self._pseudonymizer.key("device", own_id), *self._pseudonymizer.previous_keys("device", own_id)
        return [_PREFIX + key[:10] for key in keys]

    def _account(self, own_id: str) -> tuple[bytes, ...]:
        return self._pseudonymizer.tags("device", own_id, size=16)
