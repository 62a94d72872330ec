"""Plans: which counters a reservation charges, and which keys they have."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from authguard.durations import parse_duration
from authguard.identity import Pseudonymizer
from authguard.limits import Algorithm, Counter, Counts, Limit, Mode, Plan
from authguard.limits.limit import LARGEST_BUDGET
from authguard.limits.plan import KEY_SIZE, NONCE_SIZE
from authguard.policy import Lane
from authguard.spend.channel import Channel
from authguard.spend.destination import Destination

WEEK = parse_duration("7d")
TOTAL = Limit(LARGEST_BUDGET, WEEK, Algorithm.BUDGET)
"""What is only added up: it never denies."""

COUNTRY, DESTINATION, RANGE, GATE = "country", "destination", "range", "gate"
UNVERIFIED, YOUNG, USUAL, MEANWHILE = "unverified", "young", "usual", "meanwhile"


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be spent on whom. ``vouched``: no stranger asks; ``lane``: whose share of the caps is spent."""

    channel: Channel
    destination: Destination
    key: str
    units: int = 1
    lane: Lane = Lane.STRANGERS
    vouched: bool = False


class Plans:
    """Turns requests into plans under one pepper."""

    def __init__(self, pseudonymizer: Pseudonymizer) -> None:
        self._pseudonymizer = pseudonymizer

    def reservation(self, request: Request) -> Plan:
        """Return the plan that puts the units aside. Its nonce comes from the key, so that a repetition is the same."""
        counters = (*self.caps(request.channel, request.lane, request.units), *self._more(request))
        parts = request.channel.name, request.destination.key, request.key
        nonce = self._pseudonymizer.tag("spend nonce", *parts, size=NONCE_SIZE)
        return Plan(counters, hold=request.channel.hold, nonce=nonce, keep=request.channel.keep)

    def caps(self, channel: Channel, lane: Lane, units: int) -> Iterator[Counter]:
        """Yield what every reservation charges. The first is the same whatever the configuration says of the others."""
        yield self._reserved(channel, "total", TOTAL, units, mode=Mode.SHADOW)
        for name, limit in channel.caps.items():
            yield self._reserved(channel, name, limit, units)
            yield self._reserved(channel, f"{name}:{lane}", _share(channel, lane, limit), units)

    def country_caps(self, channel: Channel, region: str | None, lane: Lane, units: int) -> Iterator[Counter]:
        """Yield what is charged besides where ``region`` has a cap: that, and the lane's share of it."""
        cap = channel.cap_in(region)
        if cap is not None and region is not None:
            for name, limit in (COUNTRY, cap), (f"{COUNTRY}:{lane}", _share(channel, lane, cap)):
                yield self._reserved(channel, name, limit, units, region)

    def marks(self, request: Request, *, proved: bool) -> Plan:
        """Return the plan that writes down that a destination was verified; ``proved``: by a stranger's message."""
        counters = [*self._history(request, charges=True)]
        if proved:
            counters += self._used(request, charges=True)
        return Plan(tuple(counters))

    def history(self, request: Request) -> Plan:
        """Return the plan that tells how often a destination was verified: at all, and lately."""
        return Plan(tuple(self._history(request, charges=False)))

    def trip(self, request: Request) -> Plan:
        """Return the plan that shuts the gate before strangers in a country."""
        return Plan(tuple(self._gate(request, charges=True)))

    def _more(self, request: Request) -> Iterator[Counter]:
        channel, destination = request.channel, request.destination
        yield from self.country_caps(channel, destination.region, request.lane, request.units)
        if channel.destination is not None and destination.key:
            whose = "vouched" if request.vouched else "others"
            yield self._reserved(channel, DESTINATION, channel.destination, 1, destination.key, whose)
        if request.lane is Lane.STRANGERS:
            yield from self._suspicions(request)

    def _suspicions(self, request: Request) -> Iterator[Counter]:
        """Yield what only strangers' messages are measured by; a used code gives them back."""
        channel, destination = request.channel, request.destination
        if channel.range_limit is not None and destination.block:
            yield self._reserved(channel, RANGE, channel.range_limit, 1, destination.block, clears=True)
        breaker = channel.breaker
        if breaker is None or destination.region is None:
            return
        yield from self._gate(request, charges=False)
        for name, period in (UNVERIFIED, breaker.window + breaker.life), (YOUNG, breaker.life):
            limit = Limit(LARGEST_BUDGET, period, Algorithm.BUDGET)
            yield self._reserved(channel, name, limit, 1, destination.region, mode=Mode.SHADOW, clears=True)
        yield from self._used(request, charges=False)

    def _gate(self, request: Request, *, charges: bool) -> Iterator[Counter]:
        breaker, region = request.channel.breaker, request.destination.region or ""
        if breaker is not None:
            key, *previous = self._keys(request.channel, GATE, region)
            yield Counter(GATE, key, Limit(1, breaker.rest), charges=charges, previous=tuple(previous))

    def _used(self, request: Request, *, charges: bool) -> Iterator[Counter]:
        """Yield how many codes strangers in the country used: in a week, and as long as any counts as unwanted."""
        breaker, region = request.channel.breaker, request.destination.region
        if breaker is not None and region is not None:
            for name, period in (USUAL, WEEK), (MEANWHILE, breaker.window + breaker.life):
                yield self._added_up(request.channel, name, period, region, charges=charges)

    def _history(self, request: Request, *, charges: bool) -> Iterator[Counter]:
        channel, key = request.channel, request.destination.key
        for name, period in ("ever", channel.known_for), ("lately", channel.known_after):
            yield self._added_up(channel, name, period, key, charges=charges)

    def _added_up(self, channel: Channel, name: str, period: int, *parts: str, charges: bool) -> Counter:
        key, *previous = self._keys(channel, name, *parts)
        limit = Limit(LARGEST_BUDGET, period, Algorithm.BUDGET)
        return Counter(name, key, limit, mode=Mode.SHADOW, charges=charges, previous=tuple(previous))

    def _reserved(
        self,
        channel: Channel,
        name: str,
        limit: Limit,
        units: int,
        *parts: str,
        mode: Mode = Mode.ENFORCE,
        clears: bool = False,
    ) -> Counter:
        key, *previous = self._keys(channel, name, *parts)
        return Counter(name, key, limit, units, Counts.RESERVATIONS, mode, clears=clears, previous=tuple(previous))

    def _keys(self, channel: Channel, name: str, *parts: str) -> tuple[bytes, ...]:
        return self._pseudonymizer.tags("spend", channel.name, name, *parts, size=KEY_SIZE)


def new_key() -> str:
    """Return an idempotency key that nobody else has."""
    return secrets.token_urlsafe(NONCE_SIZE)


def _share(channel: Channel, lane: Lane, limit: Limit) -> Limit:
    """Return what ``lane`` may spend of ``limit``: all but the other's share, and at least 1."""
    kept = channel.stranger_share if lane is Lane.KNOWN else channel.known_share
    return Limit(max(1, limit.amount * (100 - kept) // 100), limit.period, limit.algorithm)
