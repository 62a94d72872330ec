"""Letters: what happens to a request for a code behind its answer; the destination's ladder, then the words."""

from __future__ import annotations

from dataclasses import dataclass, field

from authguard.delivery import Channel, Message
from authguard.errors import IdentityError
from authguard.events import MessageWithheld
from authguard.limits import Plan
from authguard.otp.binding import Binding
from authguard.otp.counters import gates_after, sent_of
from authguard.otp.destination import Destination, read_destination, spell
from authguard.otp.foundation import Foundation, message_key
from authguard.otp.link_template import LinkTemplate
from authguard.otp.token import ABOUT, Link
from authguard.otp.wording import Content, Wording, bind_to_origin
from authguard.policy import FailMode, Subject


@dataclass(frozen=True, slots=True)
class Errand:
    """One request for a code that was granted: what the letter needs. ``own``: for the account of whoever reads it."""

    binding: Binding
    subject: Subject = field(repr=False)
    channel: Channel
    challenge: bytes = field(repr=False)
    version: int
    code: str = field(repr=False)
    issued: int
    own: bool = True

    @property
    def key(self) -> str:
        """What the letter is known by, to the ledger and to providers that take such a key."""
        return message_key(self.challenge, self.version)


class Letters:
    """Writes letters in one wording, with links as one template has them."""

    def __init__(self, foundation: Foundation, wording: Wording, links: LinkTemplate) -> None:
        self._foundation = foundation
        self._wording = wording
        self._links = links

    def compose(self, errand: Errand) -> Message | None:
        """Return the letter, or ``None`` where none may go out; the operator is told why, and nobody else.

        Runs in the background. Raises ``StoreError`` where the ladder can't be asked: then nothing goes out.
        """
        destination = self._read(errand)
        if destination is None:
            return None
        notice = self._climb(errand, destination)
        if notice is None:
            self._withhold(errand, "ladder")
            return None
        return self._write(errand, destination, notice)

    def _read(self, errand: Errand) -> Destination | None:
        if errand.binding.deliver is None:
            self._withhold(errand, "nobody")
            return None
        region, rules = self._foundation.region, self._foundation.email_rules
        try:
            return read_destination(errand.channel, errand.binding.deliver, region, rules)
        except IdentityError:
            self._withhold(errand, "destination")
            return None

    def _climb(self, errand: Errand, destination: Destination) -> bool | None:
        """Take the next step of the destination's ladder; ``None`` where it is too early for one.

        The version counts as sent from then on, so that a message that never left has not undone the one before it.
        Returns whether this message is to say that somebody keeps asking.
        """
        rules = self._foundation.rules
        ladders = self._foundation.ladders
        climb = ladders.of_destination if errand.own else ladders.of_foreign
        ladder = climb(errand.subject, destination.key)
        sent = sent_of(errand.challenge, errand.version, rules)
        plan = Plan((*ladder, sent, *gates_after(errand.challenge, errand.version, rules)))
        decision = self._foundation.store.decide(plan, FailMode.CLOSED).decision
        if decision is None or not decision.allowed:
            return None
        return bool(decision.shadow_denied)

    def _write(self, errand: Errand, destination: Destination, notice: bool) -> Message:
        link = self._links.url(self._seal(errand))
        rules = self._foundation.rules
        content = Content(errand.binding.purpose, errand.channel, rules.ttl, notice, errand.code, link)
        subject, body = self._wording.write(content)
        if errand.channel is Channel.SMS:
            body = bind_to_origin(body, self._links.host, errand.code)
        return Message(errand.channel, destination.address, body, subject, errand.key)

    def _seal(self, errand: Errand) -> str:
        binding = errand.binding
        has_account = binding.account is not None
        reader = binding.account if binding.account is not None else spell(binding.to, self._foundation.region)
        about = about_tags(self._foundation, binding.purpose, has_account, reader, binding.deliver)[0]
        link = Link(errand.challenge, errand.version, about, has_account, reader)
        return self._foundation.links.seal(link.pack(), errand.issued)

    def _withhold(self, errand: Errand, reason: str) -> None:
        self._foundation.observer.observe(MessageWithheld(errand.channel, errand.binding.purpose, reason))


def about_tags(
    foundation: Foundation, purpose: str, has_account: bool, reader: str, deliver: str | None
) -> tuple[bytes, ...]:
    """Return what stands in a link for its purpose, reader and destination, under each secret."""
    at = "-" if deliver is None else f"+{spell(deliver, foundation.region)}"
    parts = (purpose, "account" if has_account else "typed", reader, at)
    return foundation.pseudonymizer.tags("otp-link", *parts, size=ABOUT)
