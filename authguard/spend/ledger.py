"""Ledger: who is asked before money is spent, and told what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from authguard.errors import ConfigurationError, StoreError
from authguard.events import Observer, SpendAlarm, SpendRefused, SpendReserved, SpendSettled
from authguard.identity import Pseudonymizer, SendVerdict
from authguard.limits import Counter, Decision, Outcome, Plan, Receipt
from authguard.limits.limit import LARGEST_BUDGET
from authguard.observe import Observers
from authguard.policy import Lane
from authguard.spend.balance import Balance
from authguard.spend.channel import CHANNELS, Channel
from authguard.spend.denial import Reason, SpendDenied
from authguard.spend.destination import read_destination
from authguard.spend.plans import COUNTRY, DESTINATION, GATE, RANGE, Plans, Request, new_key
from authguard.spend.pumping import count_unwanted, most_unwanted
from authguard.spend.reservation import Reservation
from authguard.stores import Store


class Ledger:
    """Keeps what channels spend within their caps, in a store that all processes share.

    It fails closed: where the store can't answer, ``StoreError`` is raised and nothing may be spent.
    """

    def __init__(
        self,
        store: Store,
        pseudonymizer: Pseudonymizer,
        channels: Mapping[str, Channel] = CHANNELS,
        observer: Observer | None = None,
    ) -> None:
        self._store = store
        self._plans = Plans(pseudonymizer)
        self._channels = dict(channels)
        self._observer = observer or Observers()

    def reserve(
        self,
        channel: str,
        to: str | None = None,
        key: str | None = None,
        known: bool = False,
        cost: int | None = None,
        *,
        device: bool = False,
    ) -> Reservation:
        """Put ``cost`` units of ``channel`` aside for a use that reaches ``to``.

        The same ``key`` for the same destination is the same use: it is reserved once, and dispatched once within the
        channel's ``keep``; without a key each call is a use of its own. ``known`` says that the application vouches
        for this user; the ledger itself knows destinations verified long ago. ``device``, that the account knows the
        browser: its destination then has a budget that strangers can't use up, but is no better known for that, as
        accounts and their devices can be made by the hundred. ``cost`` is the channel's price for the destination's
        region unless given. Raises ``SpendDenied``, ``IdentityError`` for a destination that is missing or can't be
        read, and ``StoreError``.
        """
        asked = self._request(channel, to, new_key() if key is None else key, cost)
        request = self._look_up(replace(asked, vouched=known or device), known=known)
        plan = self._plans.reservation(request)
        decision = self._store.decide(plan)
        if len(decision.reply.waits) != len(plan.counters):
            raise self._refuse(request, Reason.KEY)
        if not decision.allowed:
            raise self._refuse(request, _reason(decision.denied[0]), decision.denied, decision.retry_after)
        receipt = decision.receipt
        if receipt is None:
            raise AssertionError("an admitted plan with a hold has a receipt")
        reservation = Reservation(request.key, request.units, self._settler(request, receipt))
        self._look_for_pumping(request, decision, reservation)
        left = min(decision.remaining[name] for name in request.channel.caps)
        self._observer.observe(SpendReserved(channel, request.lane, request.units, left))
        return reservation

    def is_spent(self, channel: str, known: bool) -> bool:
        """Return whether nothing is left for known users, or for strangers, wherever it would go.

        For a look before anybody is looked up, so that it says nothing about anybody. A store that can't answer counts
        as nothing left.
        """
        rules = self.channel(channel)
        lane = Lane.KNOWN if known else Lane.STRANGERS
        caps = Plan(tuple(self._plans.caps(rules, lane, rules.price)))
        try:
            return not self._store.peek(caps).allowed
        except StoreError:
            return True

    def verified(self, channel: str, to: str, key: str) -> bool:
        """Say that what was sent under ``key`` proved to be welcome: its code was used, its link followed.

        Its message counts no longer as one that nobody wanted, and its destination will be known. Once for each key;
        return whether the ledger could write it down, which it tries and never fails over.
        """
        request = self._request(channel, to, key, None)
        plan = self._plans.reservation(request)
        try:
            proved = self._store.settle(Receipt(plan, (0,) * len(plan.counters)), Outcome.PROVE)
            return self._store.decide(self._plans.marks(request, proved=proved)).allowed
        except StoreError:
            return False

    def balances(self) -> tuple[Balance, ...]:
        """Return what every cap of every channel holds now, of countries those named; raises ``StoreError``."""
        return tuple(balance for channel in self._channels.values() for balance in self._balances(channel))

    def channel(self, name: str) -> Channel:
        """Return the channel called ``name``; raises ``ConfigurationError`` with the names there are."""
        try:
            return self._channels[name]
        except KeyError:
            known = ", ".join(sorted(self._channels))
            raise ConfigurationError(
                f"there is no channel {name!r}; use one of {known}, or add [spend.{name}] to the TOML"
            ) from None

    def _request(self, name: str, to: str | None, key: str, cost: int | None) -> Request:
        """Return what a stranger asks for."""
        channel = self.channel(name)
        destination = read_destination(channel, to)
        units = channel.price_in(destination.region) if cost is None else cost
        if type(units) is not int or units < 1:
            raise ValueError("a cost is a whole number of units, at least 1")
        return Request(channel, destination, key, units)

    def _look_up(self, request: Request, *, known: bool) -> Request:
        """Return the request in the lane of whoever makes it."""
        if request.destination.verdict is not SendVerdict.ALLOWED:
            raise self._refuse(request, Reason(request.destination.verdict))
        if known or (request.destination.key and self._is_known(request)):
            return replace(request, lane=Lane.KNOWN)
        return request

    def _is_known(self, request: Request) -> bool:
        """Return whether the destination was verified before what counts as lately."""
        ever, lately = self._store.peek(self._plans.history(request)).reply.remaining
        return lately > ever

    def _settler(self, request: Request, receipt: Receipt) -> Callable[[Outcome], bool]:
        def settle(outcome: Outcome) -> bool:
            settled = self._store.settle(receipt, outcome)
            self._observer.observe(SpendSettled(request.channel.name, outcome, settled))
            return settled

        return settle

    def _look_for_pumping(self, request: Request, decision: Decision, reservation: Reservation) -> None:
        """Shut the gate before strangers in this country when too many of their messages are wanted by nobody."""
        breaker, region = request.channel.breaker, request.destination.region
        if breaker is None or region is None or request.lane is Lane.KNOWN:
            return
        unwanted, allowed = count_unwanted(decision), most_unwanted(breaker, decision)
        if unwanted <= allowed:
            return
        reservation.release()
        if self._store.decide(self._plans.trip(request)).allowed:
            self._observer.observe(SpendAlarm(request.channel.name, region, unwanted, allowed))
        raise self._refuse(request, Reason.UNVERIFIED, (GATE,), breaker.rest)

    def _refuse(
        self, request: Request, reason: Reason, full: tuple[str, ...] = (), retry_after: int | None = None
    ) -> SpendDenied:
        self._observer.observe(SpendRefused(request.channel.name, request.lane, reason, full))
        return SpendDenied(reason, retry_after)

    def _balances(self, channel: Channel) -> Iterator[Balance]:
        for lane in (Lane.STRANGERS, Lane.KNOWN):
            yield from self._balances_of(channel, lane, "", self._plans.caps(channel, lane, 1))
        for region in channel.countries:
            for lane in (Lane.STRANGERS, Lane.KNOWN):
                yield from self._balances_of(channel, lane, region, self._plans.country_caps(channel, region, lane, 1))

    def _balances_of(self, channel: Channel, lane: Lane, region: str, caps: Iterable[Counter]) -> Iterator[Balance]:
        counters = tuple(caps)
        # Asked of a budget that nothing fills, each counter tells all that stands in it, above a lowered cap too;
        # and what costs more than there could ever be is never admitted.
        asked = tuple(
            replace(each, limit=replace(each.limit, amount=LARGEST_BUDGET), cost=LARGEST_BUDGET + 1)
            for each in counters
        )
        reply = self._store.peek(Plan(asked)).reply
        for counter, room, reserved in zip(counters, reply.remaining, reply.pending, strict=True):
            if lane is Lane.STRANGERS or counter.layer.endswith(f":{lane}"):
                spent = LARGEST_BUDGET - room - reserved
                left = max(0, counter.limit.amount - spent - reserved)
                name = counter.layer.replace(COUNTRY, region) if region else counter.layer
                yield Balance(channel.name, name, counter.limit, spent, reserved, left, channel.unit)


def _reason(layer: str) -> Reason:
    return _REASONS.get(layer.partition(":")[0], Reason.EXHAUSTED)


_REASONS = {
    COUNTRY: Reason.COUNTRY,
    DESTINATION: Reason.DESTINATION,
    RANGE: Reason.RANGE,
    GATE: Reason.UNVERIFIED,
}
