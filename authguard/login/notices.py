"""Notices: the owner of an account is told, out of band and at most once a day, that somebody uses up its tries."""

from __future__ import annotations

import logging
import os
import weakref
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import BoundedSemaphore, Lock
from time import monotonic

from authguard.durations import parse_duration
from authguard.errors import StoreError
from authguard.events import Observer, OwnerNotice
from authguard.guard import Attempt
from authguard.identity import Pseudonymizer
from authguard.limits import Counter, Counts, Limit, Plan
from authguard.limits.plan import KEY_SIZE
from authguard.policy import FailMode, Policy, Scope, Subject
from authguard.stores.resilient import ResilientStore

ONE_A_DAY = Limit(1, parse_duration("24h"))
_REMEMBERED = 4096
_REST = 600.0
"""Seconds for which the store is not asked again about an account: a flood costs it one call."""
_MOST_WAITING = 100
_log = logging.getLogger("authguard.login")


@dataclass(frozen=True, slots=True)
class Notice:
    """What the owner should hear: ``account`` is the id that the resolver gave, or what was typed without one."""

    account: str
    policy: str


Deliver = Callable[[Notice], object]


class Notices:
    """Notices when an account's tries are used up, and has it told by ``deliver``, on a thread of its own.

    Whether there is such an account shows neither in what is done here nor in how long that takes: the store is asked
    and the thread woken for any name. ``resolves`` says that the application knows accounts by their names, so that a
    name without an account has no owner. Events carry a pseudonym.
    """

    def __init__(
        self,
        store: ResilientStore,
        pseudonymizer: Pseudonymizer,
        observer: Observer,
        deliver: Deliver | None = None,
        *,
        resolves: bool = False,
    ) -> None:
        self._store = store
        self._pseudonymizer = pseudonymizer
        self._observer = observer
        self._courier = Courier(deliver) if deliver is not None else None
        self._resolves = resolves
        self._recent: OrderedDict[bytes, float] = OrderedDict()
        self._lock = Lock()

    def consider(self, policy: Policy, subject: Subject, attempt: Attempt) -> None:
        """Give notice if ``attempt`` was refused, or can't succeed, because of the tries on this account.

        A policy that keeps no lane for known devices, such as a sign-up's, is about accounts that have no owner yet.
        """
        layers = _account_layers(policy, attempt) if policy.tells_devices_apart else ()
        # Not by what was typed: each spelling of a name would be worth a message.
        counted = subject.values.get(Scope.AUTHENTICATOR, "")
        if not layers or not counted:
            return
        if self._courier is not None and not self._courier.has_place():
            return  # before the day's one is used up: the next try on this account gives the notice
        if not self._is_news(counted):
            return
        kind, _, account = subject.own_id.partition(":")
        owned = kind == "account" or not self._resolves
        if owned:
            pseudonym = self._pseudonymizer.key("account", counted)
            self._observer.observe(OwnerNotice(policy.name, pseudonym, layers))
        if self._courier is not None:
            self._courier.send(Notice(account, policy.name) if owned else None)

    def _is_news(self, counted: str) -> bool:
        """Return whether the owner of the account counted under that name has heard nothing for a day."""
        tag, now = self._pseudonymizer.tag("notice", counted, size=8), monotonic()
        with self._lock:
            if self._recent.get(tag, now) > now:
                return False
            self._recent.pop(tag, None)
            while len(self._recent) >= _REMEMBERED:
                self._recent.popitem(last=False)
            self._recent[tag] = now + _REST
        key, *previous = self._pseudonymizer.tags("owner-notice", counted, size=KEY_SIZE)
        try:
            ruling = self._store.decide(
                Plan((Counter("owner-notice", key, ONE_A_DAY, previous=tuple(previous)),)), FailMode.CLOSED
            )
        except StoreError:
            return False
        return ruling.decision is not None and ruling.decision.allowed


class Courier:
    """Runs ``deliver`` one notice at a time on its own thread; what would wait behind a hundred others is dropped."""

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver
        self._reset()
        _ALIVE.add(self)

    def has_place(self) -> bool:
        """Return whether another notice would be taken, as far as that can be said."""
        free = self._places.acquire(blocking=False)
        if free:
            self._places.release()
        return free

    def send(self, notice: Notice | None) -> None:
        """Have ``notice`` delivered soon; ``None`` takes the same way and is delivered to nobody."""
        places = self._places
        if not places.acquire(blocking=False):
            return
        try:
            self._thread.submit(self._run, notice).add_done_callback(lambda _: places.release())
        except RuntimeError:  # the process is about to end, and takes no more work
            places.release()

    def _run(self, notice: Notice | None) -> None:
        try:
            if notice is not None:
                self._deliver(notice)
        except Exception:  # noqa: BLE001 - whatever it raises, the next notice must go out
            _log.exception("a notice to an owner was not delivered")

    def _reset(self) -> None:
        self._places = BoundedSemaphore(_MOST_WAITING)
        self._thread = ThreadPoolExecutor(1, "authguard-notices")


def _account_layers(policy: Policy, attempt: Attempt) -> tuple[str, ...]:
    """Return the layers of failures on the account that refused the attempt, or would have, had they been shown."""
    if attempt.blind:
        return ("authenticator",)
    decision = attempt.decision
    if decision is None or decision.allowed:
        return ()
    denied = (policy.find(name) for name in decision.denied)
    return tuple(
        layer.name
        for layer in denied
        if layer is not None and layer.counts is Counts.FAILURES and {Scope.ID, Scope.AUTHENTICATOR} & set(layer.scopes)
    )


_ALIVE: weakref.WeakSet[Courier] = weakref.WeakSet()


def _start_anew() -> None:
    """Give a forked child's couriers a thread of their own: the parent's is not there."""
    for courier in _ALIVE:
        courier._reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
