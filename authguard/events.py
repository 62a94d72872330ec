"""Events: what authguard did or noticed, as frozen values; and the protocol of whoever wants to know.

Events carry pseudonyms and names of the configuration only: never an address, an identifier, a secret or a code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events."""


@dataclass(frozen=True, slots=True)
class Decided(Event):
    """A request was decided. ``seconds`` is how long the store took; ``source`` is ``store``, ``local`` or ``open``.

    ``facts`` are what else was known of it, such as ``disposable``: a mailbox of a throw-away domain.
    """

    policy: str
    verdict: str
    denied: tuple[str, ...]
    shadow_denied: tuple[str, ...]
    joined: bool
    seconds: float
    source: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settled(Event):
    """An attempt ended. ``settled`` is false when it came too late or twice and changed nothing."""

    policy: str
    outcome: str
    settled: bool


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """A request was answered 400 before any counter was looked at; ``code`` says why."""

    policy: str
    code: str


@dataclass(frozen=True, slots=True)
class PasswordChecked(Event):
    """A password was checked; ``outcome`` is ``match``, ``mismatch``, ``no_hash`` or ``unusable_hash``.

    For the operator alone: whether there is an account decides nothing (law 8).
    """

    outcome: str


@dataclass(frozen=True, slots=True)
class AlarmRaised(Event):
    """In this process too many of the accounts tried lately failed; strangers are asked for a challenge now.

    ``failing`` and ``succeeding`` are numbers of different accounts. ``unknown`` is the share of the passwords checked
    meanwhile that belonged to no account, ``None`` where none was checked: a list of names that were made up, or
    stolen elsewhere, has a large one.
    """

    policy: str
    failing: int
    succeeding: int
    unknown: float | None


@dataclass(frozen=True, slots=True)
class AlarmEnded(Event):
    """The failing accounts have become few again; the gate opens when its period has passed."""

    policy: str


@dataclass(frozen=True, slots=True)
class OwnerNotice(Event):
    """Somebody uses up the tries of an account; at most one a day for each. ``account`` is a pseudonym."""

    policy: str
    account: str
    layers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoreOpened(Event):
    """An application was given its store. It counts as up until :class:`StoreSuspended` follows."""

    backend: str


@dataclass(frozen=True, slots=True)
class StoreFaulted(Event):
    """A store call failed. ``fault`` is ``timeout``, ``unavailable``, ``full`` or, for a bug in the store, ``error``.

    The store is asked as usual by the next call, unless :class:`StoreSuspended` follows.
    """

    backend: str
    operation: str
    fault: str


@dataclass(frozen=True, slots=True)
class StoreSuspended(Event):
    """A store failed several times in a row. It counts as down: one call every ``seconds`` looks whether it is back."""

    backend: str
    seconds: float


@dataclass(frozen=True, slots=True)
class StoreSkipped(Event):
    """A store call was not made because the store is down. A settle that was skipped leaves a failure behind."""

    backend: str
    operation: str


@dataclass(frozen=True, slots=True)
class StoreRecovered(Event):
    """A store that was down answers again."""

    backend: str


@dataclass(frozen=True, slots=True)
class Misconfigured(Event):
    """Live traffic does not fit the set-up. ``code`` is stable, ``advice`` one sentence that says what to change.

    Given for every such request, so that it can be counted; ``news`` is true for the first of its code in a process,
    so that it is told once.
    """

    code: str
    advice: str
    news: bool


@dataclass(frozen=True, slots=True)
class MessageSent(Event):
    """A provider took a message, after ``seconds``. ``purpose`` is what the application asked for it for."""

    channel: str
    purpose: str
    seconds: float


@dataclass(frozen=True, slots=True)
class MessageWithheld(Event):
    """A message was not sent, and whoever asked for it was not told. ``reason`` names the rule that said so."""

    channel: str
    purpose: str
    reason: str


@dataclass(frozen=True, slots=True)
class MessageFailed(Event):
    """A message that should have gone out did not, or may not have.

    ``fault`` is the provider's word for it, ``uncertain`` where it may have gone out, ``lost`` where the process ended
    before its turn, and ``error`` for a store or a ledger that failed.
    """

    channel: str
    purpose: str
    fault: str


@dataclass(frozen=True, slots=True)
class CodeChecked(Event):
    """A code or a link was tried. ``result`` is what nobody but the operator may know of a wrong one."""

    purpose: str
    result: str


@dataclass(frozen=True, slots=True)
class SpendReserved(Event):
    """Units were put aside. ``lane`` is ``known`` or ``strangers``; ``left`` what the tightest cap of all has left."""

    channel: str
    lane: str
    units: int
    left: int


@dataclass(frozen=True, slots=True)
class SpendRefused(Event):
    """Nothing was put aside. ``reason`` is ``exhausted`` when a cap of the channel is full; ``full`` names all full."""

    channel: str
    lane: str
    reason: str
    full: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpendSettled(Event):
    """A reservation moved on. ``settled`` is false when it came too late, twice or out of turn and changed nothing."""

    channel: str
    outcome: str
    settled: bool


@dataclass(frozen=True, slots=True)
class SpendAlarm(Event):
    """Strangers in ``region`` get nothing for a while: ``unwanted`` messages were never used, ``allowed`` may be."""

    channel: str
    region: str
    unwanted: int
    allowed: int


class Observer(Protocol):
    """Something that wants to know. It must return quickly and not raise.

    One whose ``skips_admissions`` is true need not be told of requests in which every layer had room: nearly all are
    such, and where nobody counts them their events are not made.
    """

    def observe(self, event: Event) -> None:
        """Take note of ``event``."""
        ...
