"""State: what one application's guard is made of, kept in ``app.extensions``."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask

from authguard.errors import ConfigurationError
from authguard.events import Observer, Observers
from authguard.flask.settings import Settings, read_settings
from authguard.flask.subject import SubjectReader
from authguard.guard import Guard, WaitingRoom
from authguard.identity import Resolver
from authguard.login.passwords import Passwords
from authguard.observe import LogObserver
from authguard.policy import Planner, Severity, check_policies, load_policies
from authguard.stores import Store, open_store
from authguard.stores.resilient import ResilientStore

NAME = "authguard"


@dataclass(frozen=True, slots=True)
class State:
    """The parts of one application's guard."""

    guard: Guard
    subjects: SubjectReader
    passwords: Passwords
    store: Store
    settings: Settings


def build_state(
    app: Flask, observers: tuple[Observer, ...], passwords: Passwords | None, resolver: Resolver | None
) -> State:
    """Put the guard of ``app`` together; raises ``ConfigurationError`` with one sentence that says what to change."""
    settings = read_settings(app)
    policies = load_policies(settings.policy_file)
    observer = Observers((LogObserver(), *observers))
    for finding in check_policies(policies):
        if finding.severity is Severity.ERROR:
            raise ConfigurationError(f"{finding.code}: {finding.message}")
        app.logger.warning("%s: %s", finding.code, finding.message)
    store = open_store(settings.store_url, deadline=settings.deadline)
    backend = settings.store_url.split(":", 1)[0]
    guard = Guard(
        policies,
        ResilientStore(store, backend, observer),
        Planner(settings.pseudonymizer),
        observer,
        WaitingRoom(settings.threads),
    )
    return State(guard, SubjectReader(settings.trust, observer, resolver), passwords or Passwords(), store, settings)


def state_of(app: Flask) -> State:
    """Return the state of ``app``; raises ``ConfigurationError`` when it was never initialized."""
    state = app.extensions.get(NAME)
    if not isinstance(state, State):
        raise ConfigurationError("this application has no AuthGuard; call AuthGuard(app), or init_app(app), first")
    return state
