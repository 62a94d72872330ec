"""State: what one application's guard is made of, kept in ``app.extensions``."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask, current_app

from authguard.errors import ConfigurationError
from authguard.events import Observer, PasswordChecked, StoreOpened
from authguard.flask.config import Config, read_config
from authguard.flask.fingerprint import compare_secrets
from authguard.flask.messages import Ground, Messages, build_codes
from authguard.flask.region import one_region
from authguard.flask.subject import SubjectReader
from authguard.flask.unsettled import Unsettled
from authguard.guard import Guard, WaitingRoom
from authguard.identity import Resolver
from authguard.login.argon2_hasher import Argon2Hasher
from authguard.login.challenge import Challenger, DelayChallenger
from authguard.login.detection import Watchtower
from authguard.login.devices import Devices
from authguard.login.door import Door
from authguard.login.notices import Deliver, Notice, Notices
from authguard.login.passwords import Outcome, Passwords
from authguard.login.slots import Slots, count_hash_slots
from authguard.observe import LogObserver, Observers
from authguard.otp.codes import Codes
from authguard.otp.rules import read_rules
from authguard.policy import Planner, check_policies
from authguard.spend import Ledger, read_channels
from authguard.stores import Store, open_store
from authguard.stores.fallback import Fallback
from authguard.stores.leasing import CALLS, LeasingStore
from authguard.stores.resilient import ResilientStore
from authguard.stores.start import check_store

NAME = "authguard"


@dataclass(frozen=True, slots=True)
class State:
    """The parts of one application's guard."""

    guard: Guard
    door: Door
    devices: Devices
    subjects: SubjectReader
    unsettled: Unsettled
    passwords: Passwords
    store: Store
    resilient: ResilientStore
    config: Config
    observer: Observer
    ledger: Ledger
    codes: Codes | None


@dataclass(frozen=True, slots=True)
class Parts:
    """What an application brings itself; see :class:`~authguard.flask.AuthGuard`."""

    observers: tuple[Observer, ...] = ()
    passwords: Passwords | None = None
    resolver: Resolver | None = None
    on_notice: Deliver | None = None
    challenger: Challenger | None = None
    messages: Messages | None = None


def build_state(app: Flask, parts: Parts) -> State:
    """Put the guard of ``app`` together; raises ``ConfigurationError`` with one sentence that says what to change."""
    config = read_config(app)
    policies = config.file.policies
    observer = Observers((LogObserver(), *parts.observers))
    for finding in check_policies(policies):  # warnings: an error would have stopped the reading
        app.logger.warning("%s: %s", finding.code, finding.message)
    store = _open_store(app, config)
    backend = config.store.split(":", 1)[0] if isinstance(config.store, str) else type(config.store).__name__
    resilient = ResilientStore(store, backend, observer, Fallback(config.workers))
    observer.observe(StoreOpened(backend))
    compare_secrets(store, config.pseudonymizer, config.namespace, observer)
    planner = Planner(config.pseudonymizer)
    tower = Watchtower(planner, resilient)
    guard = Guard(policies, resilient, planner, observer, WaitingRoom(config.threads), tower.watch)
    tower.man(policies.values(), guard.shut, observer)
    life = read_rules(config.file.codes).ttl
    region = one_region(config.file, texts=parts.messages is not None and parts.messages.sms is not None)
    channels = read_channels(config.file.spend, default_region=region, code_life=life)
    ledger = Ledger(store, config.pseudonymizer, channels, observer)
    devices = Devices(config.pseudonymizer, config.seal("device"), resilient, config.device_life)
    return State(
        guard,
        _build_door(app, config, parts, guard, resilient, devices, observer),
        devices,
        SubjectReader(config.trust, config.file.identity.email_rules, observer, parts.resolver),
        Unsettled(observer),
        parts.passwords or _build_passwords(config, observer, tower),
        store,
        resilient,
        config,
        observer,
        ledger,
        _build_codes(
            app.name, parts.messages, Ground(config, guard, planner, store, resilient, observer, ledger, region)
        ),
    )


def _open_store(app: Flask, config: Config) -> Store:
    """Return the store of ``app``; where a layer has a lease, its decisions may take two calls within the deadline."""
    leases = any(layer.lease for policy in config.file.policies.values() for layer in policy.layers)
    store = config.store
    if isinstance(store, str):
        store = open_store(store, deadline=config.deadline // (CALLS if leases else 1))
    for doubt in check_store(store, config.store_check):
        app.logger.warning("%s: %s", doubt.code, doubt.message)
    return LeasingStore(store) if leases else store


def _build_codes(name: str, messages: Messages | None, ground: Ground) -> Codes | None:
    return None if messages is None else build_codes(name, messages, ground)


def _build_door(
    app: Flask,
    config: Config,
    parts: Parts,
    guard: Guard,
    store: ResilientStore,
    devices: Devices,
    observer: Observer,
) -> Door:
    hide = config.pseudonymizer
    challenger = parts.challenger or DelayChallenger(config.seal("challenge"), hide)
    deliver = _within(app, parts.on_notice) if parts.on_notice is not None else None
    notices = Notices(store, hide, observer, deliver, resolves=parts.resolver is not None)
    return Door(guard, store, hide, devices, challenger, notices)


def _build_passwords(config: Config, observer: Observer, tower: Watchtower) -> Passwords:
    def report(outcome: Outcome) -> None:
        observer.observe(PasswordChecked(outcome))
        tower.note_password(outcome is not Outcome.NO_HASH)

    hasher = Argon2Hasher()
    slots = Slots(count_hash_slots(hasher.memory), waiters=config.threads // 4)
    return Passwords(hasher, slots=slots, report=report)


def _within(app: Flask, deliver: Deliver) -> Deliver:
    """Return ``deliver`` with the application at hand, as its own code expects it."""

    def run(notice: Notice) -> None:
        with app.app_context():
            deliver(notice)

    return run


def current_state() -> State:
    """Return the state of the application at hand; raises as :func:`state_of` does."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # see `current_request`
    return state_of(app)


def state_of(app: Flask) -> State:
    """Return the state of ``app``; raises ``ConfigurationError`` when it was never initialized."""
    state = app.extensions.get(NAME)
    if not isinstance(state, State):
        raise ConfigurationError("this application has no AuthGuard; call AuthGuard(app), or init_app(app), first")
    return state
