"""Sending: a request for a code is counted, answered with a token, and carried out in the background."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from authguard.clock import SECOND
from authguard.delivery import Channel, Job, Sender
from authguard.errors import IdentityError
from authguard.guard import Answerable
from authguard.limits import Counter, Decision, Plan
from authguard.otp.binding import Binding
from authguard.otp.counters import TRIES, WON, look_at, looks_at_versions, newest_sent, try_of, win_of
from authguard.otp.digits import draw_code
from authguard.otp.entrance import Entrance, settle_on
from authguard.otp.foundation import BUSY, Foundation, waits_of
from authguard.otp.letters import Errand, Letters
from authguard.otp.rules import VERSIONS
from authguard.otp.token import Challenge, Version


@dataclass(frozen=True, slots=True)
class Sent:
    """The answer to a request for a code, the same whether or not there is anybody to get one.

    ``token`` belongs into the form in which the code is entered. ``next_send_at``, in microseconds of the store's time,
    is when this client may ask again; ``next_send_in`` the seconds until then. ``refused`` is set instead where the
    client may not ask now.
    """

    token: str = field(default="", repr=False)
    next_send_at: int = 0
    next_send_in: int = 0
    refused: Answerable | None = None


class Sending:
    """Answers requests for codes of ``digits`` digits."""

    def __init__(self, foundation: Foundation, sender: Sender, letters: Letters, digits: int) -> None:
        self._foundation = foundation
        self._sender = sender
        self._letters = letters
        self._digits = digits

    def send(
        self, policy: str, binding: Binding, entrance: Entrance, channel: Channel, earlier: str | None = None
    ) -> Sent:
        """Count the request under ``policy`` and send a code, unless the client may not ask.

        ``earlier`` is the token of the code that this one replaces: tries at its challenge are kept. Raises
        ``Overloaded`` for a full queue and a spent channel, to everyone alike.
        """
        place = self._sender.reserve(channel, entrance.subject.known)
        try:
            challenge, looks = self._continue(binding, earlier)
            of_client = self._foundation.ladders.of_client
            counted = entrance.count(policy, lambda subject: (*of_client(subject), *looks))
            if counted.refused is not None:
                return Sent(refused=counted.refused)
            if counted.decision is None:
                return Sent(refused=BUSY)
            now = counted.decision.reply.now
            challenge = self._refresh(binding, challenge, counted.decision, now)
            subject = settle_on(entrance.subject, counted)
            code = draw_code(self._digits)
            mac = binding.mac(self._foundation.pseudonymizer, challenge.id, challenge.newest + 1, code)
            challenge = challenge.add(Version(now, mac))
            own = binding.account is None or entrance.leads_to(binding.account)
            errand = Errand(binding, subject, channel, challenge.id, challenge.newest, code, now, own)
            place.fill(self._job(errand))
        except IdentityError as error:
            # The client's own ladder lacks what it counts by, and is drawn up before the guard looks at the rest.
            return Sent(refused=self._foundation.guard.refuse(policy, error.code).refused)
        finally:
            place.leave()
        ready = self._next_send(Plan(of_client(subject)), now)
        token = self._foundation.challenges.seal(challenge.pack(), now)
        return Sent(token, ready, -(-(ready - now) // SECOND))

    def _continue(self, binding: Binding, earlier: str | None) -> tuple[Challenge | None, tuple[Counter, ...]]:
        """Return the challenge to go on with, if any, and the looks that say whether it may."""
        challenge = self._foundation.open_challenge(earlier, binding)
        if challenge is None or challenge.newest == VERSIONS:
            return None, ()
        rules = self._foundation.rules
        own = (look_at(try_of(challenge.id, rules)), look_at(win_of(challenge.id, rules)))
        return challenge, (*own, *looks_at_versions(challenge.id, rules))

    def _refresh(self, binding: Binding, challenge: Challenge | None, decision: Decision, now: int) -> Challenge:
        """Return ``challenge`` where it can still be won, else a new one."""
        if challenge is not None:
            waits = waits_of(decision)
            fresh = challenge.versions[-1].issued + self._foundation.rules.ttl > now
            sent = newest_sent(waits)
            if fresh and not waits[TRIES] and not waits[WON] and sent < VERSIONS:
                # A form that was left behind does not know of the messages since; those have numbers all the same.
                return challenge.skip_to(sent)
        return Challenge.new(binding.tag(self._foundation.pseudonymizer))

    def _job(self, errand: Errand) -> Job:
        binding, compose = errand.binding, partial(self._letters.compose, errand)
        return Job(errand.channel, binding.purpose, errand.subject.known, compose, binding.deliver, errand.key)

    def _next_send(self, plan: Plan, now: int) -> int:
        """Return when this client may ask again, by what it asked for itself and nothing else (law 8)."""
        ahead = self._foundation.store.peek(plan) if plan.counters else None
        if ahead is None:
            return now
        return now + (ahead.retry_after or 0)
