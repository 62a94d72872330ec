"""Application: puts pages, data and defenses together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flask import Flask

from authguard.flask import AuthGuard
from demo_app.accounts import account_id, mailbox_key
from demo_app.answers import answer_errors, describe_wait
from demo_app.codes import GuardedCodes, codes, outbox_messages, use_codes
from demo_app.contact import fold
from demo_app.csrf import check_forms
from demo_app.database import close_after_requests, prepare_database
from demo_app.defenses import select
from demo_app.gate import Defenses
from demo_app.keyring import KEPT, read_secrets
from demo_app.monitors import Monitors
from demo_app.naive.codes import HandCodes
from demo_app.naive.hand_factors import HandFactors
from demo_app.naive.nothing import PlainPasswords
from demo_app.notice import tell_owner
from demo_app.open_gate import OpenGate
from demo_app.options import Options
from demo_app.post import GuardedPost, OpenPost, use_post
from demo_app.seeds import plant_accounts
from demo_app.state import signed_in
from demo_app.views.account import account
from demo_app.views.code_login import code_login
from demo_app.views.contact_change import contact_change
from demo_app.views.continue_here import continue_here
from demo_app.views.home import home
from demo_app.views.login import login
from demo_app.views.outbox import outbox
from demo_app.views.reset import reset
from demo_app.views.second_factor import second_factor
from demo_app.views.signup import signup
from demo_app.views.trial import trial


class GuardedPasswords:
    """authguard's passwords, which belong to the request that asks."""

    def __init__(self, guard: AuthGuard) -> None:
        self._guard = guard

    def hash(self, password: str) -> str:
        """Return a new hash."""
        return self._guard.passwords.hash(password)

    def verify(self, stored: str | None, password: str) -> bool:
        """Return whether ``password`` made ``stored``."""
        return self._guard.passwords.verify(stored, password)


class GuardedFactors:
    """authguard's second factors, which belong to the request that asks."""

    def __init__(self, guard: AuthGuard) -> None:
        self._guard = guard

    def check_recovery(self, account: str, hashes: Sequence[str], code: str, strike: Callable[[str], bool]) -> bool:
        """Return whether ``code`` is one of those whose ``hashes`` are stored."""
        return self._guard.factors.check_recovery(account, hashes, code, strike)


def create_app(options: Options) -> Flask:
    """Return the application that ``options`` ask for; raises ``ConfigurationError`` when it can't be guarded so."""
    app = Flask(__name__, instance_path=str(options.instance))
    options.instance.mkdir(parents=True, exist_ok=True)
    current, *earlier = read_secrets(options.instance)
    app.config.update(
        SECRET_KEY=current,
        SECRET_KEY_FALLBACKS=earlier[:KEPT],
        DEMO_RETIRED_SECRETS=earlier[KEPT:],
        DEMO_DATABASE=options.instance / "demo.sqlite3",
        SESSION_COOKIE_SAMESITE="Lax",
        MAX_CONTENT_LENGTH=64 * 1024,
        AUTHGUARD_PROXIES=options.proxy,
        AUTHGUARD_CONFIG=str(options.config) if options.config else None,
        AUTHGUARD_STORE=options.store,
        AUTHGUARD_WORKERS=options.workers,
        AUTHGUARD_THREADS=options.threads,
        DEMO_MONITORS=options.monitor,
        DEMO_PROVIDER=options.provider,
        DEMO_SMS_RATE=options.sms_rate,
    )
    prepare_database(app.config["DEMO_DATABASE"])
    close_after_requests(app)
    check_forms(app)
    answer_errors(app)
    app.add_template_filter(describe_wait)
    app.extensions["demo"] = _raise_defenses(app, options)
    app.context_processor(lambda: {"digits": codes().digits})
    app.context_processor(lambda: {"person": signed_in(), "without": options.without, "unguarded": options.unguarded})
    ways_in = (signup, login, second_factor, code_login, reset, continue_here)
    for blueprint in (home, *ways_in, account, contact_change, trial, outbox):
        app.register_blueprint(blueprint)
    return app


def prepare(options: Options) -> None:
    """Add the accounts that every demo starts with; raises ``ConfigurationError`` for options that can't work."""
    plant_accounts(create_app(options).config["DEMO_DATABASE"])


def _raise_defenses(app: Flask, options: Options) -> Defenses:
    if options.unguarded:
        use_codes(app, HandCodes())
        use_post(app, OpenPost())
        return Defenses(OpenGate(), PlainPasswords(), HandFactors(OpenGate()), exempt=lambda: False, mailbox=fold)
    removed = select(options.without)
    for defense in removed:
        app.config.update(defense.settings)
    guard = AuthGuard(app, resolver=account_id, messages=outbox_messages(app, options.site), on_notice=tell_owner)
    use_codes(app, GuardedCodes(guard))
    use_post(app, GuardedPost(guard))
    mailbox = _mailbox_of(app, guard)
    defenses = Defenses(guard, GuardedPasswords(guard), GuardedFactors(guard), Monitors(app).exempt, mailbox)
    for defense in removed:
        defenses = defense.remove(app, defenses)
    return defenses


def _mailbox_of(app: Flask, guard: AuthGuard) -> Callable[[str], str]:
    """Return what tells the mailbox of a contact, by its spelling where the policy lets one have several accounts."""
    with app.app_context():
        layer = guard.guard.policy("signup-confirm").find("mailbox")
    return fold if layer is None or layer.limit.amount > 1 else mailbox_key
