"""Challenges: what a stranger may do instead of waiting for limits that other strangers have filled."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from typing import Protocol

from authguard.durations import parse_duration
from authguard.errors import TokenError
from authguard.guard import Offer, Seal
from authguard.identity import Pseudonymizer

FIRST_WAIT = parse_duration("5s")
LONGEST_WAIT = parse_duration("15m")
ACCEPTED_FOR = parse_duration("5m")
"""Microseconds for which a token is good once it is."""
_NONCE = 16
_BINDING = 16
_TIME = 8


@dataclass(frozen=True, slots=True)
class Context:
    """What a challenge is for: an action, on an identifier, from a coarse client.

    The client is its network: people on the move change their address within it, and a solved challenge is worth
    nothing elsewhere.
    """

    policy: str
    account: str
    network: str


class Challenger(Protocol):
    """Offers challenges and says whether one was solved. All times are the store's, in microseconds.

    What it offers must be bound to the context and be checked against it; that a solution works once is seen to by
    whoever asks, by the nonce.
    """

    @property
    def life(self) -> int:
        """For how many microseconds after its offer a challenge could still be solved, at most."""
        ...

    def offer(self, context: Context, now: int, tries: int, answer: str) -> Offer:
        """Return a challenge, harder with each of the ``tries`` that failed after one; ``answer`` is what just came."""
        ...

    def check(self, answer: str, context: Context, now: int) -> str | None:
        """Return the nonce of the challenge that ``answer`` solves here and now, ``None`` where it solves none."""
        ...


class DelayChallenger:
    """The challenge that needs nothing but a form: come back with this token, not before its time.

    It costs an attacker time for each try and keeps no one out, with or without scripts. The wait doubles with each
    failed try, from 5 seconds up to 15 minutes.
    """

    def __init__(self, seal: Seal, pseudonymizer: Pseudonymizer) -> None:
        self._seal = seal
        self._pseudonymizer = pseudonymizer

    @property
    def life(self) -> int:
        """See :class:`Challenger`."""
        return LONGEST_WAIT + ACCEPTED_FOR

    def offer(self, context: Context, now: int, tries: int, answer: str) -> Offer:
        """See :class:`Challenger`. Who comes too early gets the same token again: its time has not moved."""
        opened = self._open(answer, context) if answer else None
        # Longer than the longest wait can only be left of it where the clock was set back.
        if opened is not None and now < opened[1] <= now + LONGEST_WAIT:
            return Offer("delay", answer, opened[1] - now)
        wait = min(FIRST_WAIT << min(max(0, tries), 30), LONGEST_WAIT)
        nonce = secrets.token_bytes(_NONCE)
        payload = nonce + self._bindings(context)[0] + (now + wait).to_bytes(_TIME, "big")
        return Offer("delay", self._seal.seal(payload, now), wait)

    def check(self, answer: str, context: Context, now: int) -> str | None:
        """See :class:`Challenger`."""
        opened = self._open(answer, context)
        if opened is None:
            return None
        nonce, begins = opened
        return nonce if begins <= now < begins + ACCEPTED_FOR else None

    def _open(self, answer: str, context: Context) -> tuple[str, int] | None:
        """Return nonce and beginning of a token for this context."""
        try:
            payload = self._seal.open(answer).payload
        except TokenError:
            return None
        binding = payload[_NONCE : _NONCE + _BINDING]
        if not any(hmac.compare_digest(binding, own) for own in self._bindings(context)):
            return None
        return payload[:_NONCE].hex(), int.from_bytes(payload[_NONCE + _BINDING :], "big")

    def _bindings(self, context: Context) -> tuple[bytes, ...]:
        parts = context.policy, context.account, context.network
        return self._pseudonymizer.tags("challenge", *parts, size=_BINDING)
