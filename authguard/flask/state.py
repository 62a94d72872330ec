"""State: what one application's guard is made of, kept in ``app.extensions``."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask

from authguard.errors import ConfigurationError
from authguard.events import Observer, Observers
from authguard.flask.config import Config, read_config
from authguard.flask.subject import SubjectReader
from authguard.guard import Guard, WaitingRoom
from authguard.identity import Resolver
from authguard.login.passwords import Passwords
from authguard.observe import LogObserver
from authguard.policy import Planner, check_policies
from authguard.stores import Store, open_store
from authguard.stores.fallback import Fallback
from authguard.stores.resilient import ResilientStore
from authguard.stores.start import check_store

NAME = "authguard"


@dataclass(frozen=True, slots=True)
class State:
    """The parts of one application's guard."""

    guard: Guard
    subjects: SubjectReader
    passwords: Passwords
    store: Store
    resilient: ResilientStore
    config: Config


def build_state(
    app: Flask, observers: tuple[Observer, ...], passwords: Passwords | None, resolver: Resolver | None
) -> State:
    """Put the guard of ``app`` together; raises ``ConfigurationError`` with one sentence that says what to change."""
    config = read_config(app)
    policies = config.file.policies
    observer = Observers((LogObserver(), *observers))
    for finding in check_policies(policies):  # warnings: an error would have stopped the reading
        app.logger.warning("%s: %s", finding.code, finding.message)
    store = open_store(config.store_url, deadline=config.deadline)
    for doubt in check_store(store, config.store_check):
        app.logger.warning("%s: %s", doubt.code, doubt.message)
    resilient = ResilientStore(store, config.store_url.split(":", 1)[0], observer, Fallback(config.workers))
    guard = Guard(
        policies,
        resilient,
        Planner(config.pseudonymizer),
        observer,
        WaitingRoom(config.threads),
    )
    return State(
        guard,
        SubjectReader(config.trust, config.file.identity.email_rules, observer, resolver),
        passwords or Passwords(),
        store,
        resilient,
        config,
    )


def state_of(app: Flask) -> State:
    """Return the state of ``app``; raises ``ConfigurationError`` when it was never initialized."""
    state = app.extensions.get(NAME)
    if not isinstance(state, State):
        raise ConfigurationError("this application has no AuthGuard; call AuthGuard(app), or init_app(app), first")
    return state
