"""Presets: the policies that come with authguard, with the reason of each number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from authguard.durations import parse_duration
from authguard.limits import Algorithm, Counts, Limit, Mode
from authguard.policy.model import FailMode, Lane, Layer, Policy, Scope


def _failures(name: str, *scopes: Scope, limit: str, mode: Mode = Mode.STEP_UP, lane: Lane = Lane.STRANGERS) -> Layer:
    return Layer(name, scopes, Limit.parse(limit), Counts.FAILURES, mode, lane)


def _attempts(name: str, *scopes: Scope, limit: str, mode: Mode = Mode.ENFORCE, lane: Lane = Lane.STRANGERS) -> Layer:
    return Layer(name, scopes, Limit.parse(limit), Counts.ATTEMPTS, mode, lane)


def _accounts(name: str, scope: Scope, limit: str, counts: Counts = Counts.FAILURES) -> Layer:
    different = Limit.parse(limit, Algorithm.DISTINCT)
    return Layer(name, (scope,), different, counts, Mode.STEP_UP, Lane.STRANGERS, distinct=Scope.ID)


def _challenged(name: str, *scopes: Scope, limit: str) -> Layer:
    return _failures(name, *scopes, limit=limit, mode=Mode.ENFORCE, lane=Lane.CHALLENGED)


def _known(layer: Layer, *scopes: Scope, limit: str | None = None) -> Layer:
    """Return the known devices' lane of a strangers' layer: what strangers do there takes nothing from it (law 6)."""
    return replace(
        layer,
        name=f"{layer.name}-known",
        scopes=scopes or layer.scopes,
        limit=Limit.parse(limit) if limit else layer.limit,
        # A known device is not asked for challenges that strangers brought about; what is full makes it wait.
        mode=Mode.ENFORCE,
        lane=Lane.KNOWN,
    )


# All attempts, never refunded: what a success gives back can't be spent without end (law 5).
_ATTEMPTS = _attempts("attempts", Scope.ID, Scope.IP, limit="30/15m")
_ATTEMPTS_AN_ADDRESS = _attempts("attempts-an-address", Scope.IP, limit="300/15m")
_ALL_ATTEMPTS = (
    _ATTEMPTS,
    # By the address too: each login makes a new device, so that a browser with its newest cookie would never be bound.
    _known(_ATTEMPTS),
    _ATTEMPTS_AN_ADDRESS,
    _known(_ATTEMPTS_AN_ADDRESS),
)

_LOGIN_ACCOUNT = _failures("account", Scope.ID, limit="5/15m")
_LOGIN_AUTHENTICATOR = _failures("authenticator", Scope.AUTHENTICATOR, limit="5/15m")

LOGIN = Policy(
    "login",
    (
        # Failures. The account's layer is the guess budget; those on addresses see sprays and botnets.
        _LOGIN_ACCOUNT,
        # The same for the account behind the identifier: its user name and its e-mail address share this one. A
        # denial of it alone is not shown, for it would tie the two together (law 8).
        _LOGIN_AUTHENTICATOR,
        # Small: a stolen cookie is no ticket to guess. The addresses need no lane for known devices' failures, for
        # such a device can guess at its own account only, and this bounds it.
        _known(_LOGIN_ACCOUNT, Scope.ID, Scope.DEVICE),
        # And for all names of the account together, or each of them would give a stolen cookie a budget of its own.
        _known(_LOGIN_AUTHENTICATOR, Scope.AUTHENTICATOR, Scope.DEVICE),
        _failures("address", Scope.IP, limit="20/15m"),
        _failures("subnet", Scope.SUBNET, limit="100/15m"),
        _failures("site", Scope.SITE, limit="200/15m"),
        # Different accounts. Few people who share an address mistype at one time, and their devices are known; of an
        # attack's tries most fail. What each number lets through, and whom it asks for a challenge, is measured by
        # replaying logs: docs/replay.md.
        _accounts("accounts-an-address", Scope.IP, "3/1h"),
        _accounts("accounts-an-address-at-once", Scope.IP, "2/10m"),
        _accounts("accounts-an-address-a-day", Scope.IP, "30/24h"),
        # The alarm counts next to nothing of one network, so the network is held here: a /48 as much as an IPv4 /24.
        _accounts("accounts-a-site", Scope.SITE, "10/1h"),
        # A list of passwords that are all right fails nowhere.
        _accounts("accounts-tried-an-address", Scope.IP, "30/1h", Counts.ATTEMPTS),
        # NIST SP 800-63B-4, 3.2.2: no more than 100 consecutive failures an authenticator; once for what was typed,
        # which is shown, and once for the account behind it, which is not.
        _failures("ceiling", Scope.ID, limit="100/365d"),
        _failures("ceiling-authenticator", Scope.AUTHENTICATOR, limit="100/365d"),
        # One password on many accounts, from however many addresses. Of a password 20 bits are kept, of whose it was
        # nothing. Above a million failures a day honest ones meet, and the limit should grow with them.
        _failures("same-secret", Scope.SECRET, limit="30/24h"),
        # Shut by the detector of sprays while failing accounts are too many for the succeeding ones.
        Layer("alarm", (Scope.GLOBAL,), Limit.parse("1/10m"), mode=Mode.STEP_UP, lane=Lane.STRANGERS, gate=True),
        # Solved challenges open the layers above, so they are counted themselves: one try each, and not without end.
        # One client can't use up all of them; and a spray of solved challenges from one address ends as well.
        _challenged("challenged", Scope.ID, limit="20/24h"),
        _challenged("challenged-authenticator", Scope.AUTHENTICATOR, limit="20/24h"),
        _challenged("challenged-a-client", Scope.ID, Scope.IP, limit="10/24h"),
        _challenged("challenged-an-address", Scope.IP, limit="60/1h"),
        *_ALL_ATTEMPTS,
    ),
)

SIGNUP = Policy(
    "signup",
    (
        # Challenges, no refusals: who knows an address must not be able to keep its owner from signing up. There is no
        # account yet, so there are no known devices either.
        _attempts("account", Scope.ID, limit="5/1h", mode=Mode.STEP_UP, lane=Lane.EVERYONE),
        _attempts("address", Scope.IP, limit="10/1h", mode=Mode.STEP_UP, lane=Lane.EVERYONE),
        _attempts("subnet", Scope.SUBNET, limit="40/1h", mode=Mode.STEP_UP, lane=Lane.EVERYONE),
        _attempts("site", Scope.SITE, limit="80/1h", mode=Mode.STEP_UP, lane=Lane.EVERYONE),
        _attempts("global", Scope.GLOBAL, limit="500/1m", lane=Lane.EVERYONE),
        _attempts("challenged-an-address", Scope.IP, limit="60/1h", lane=Lane.CHALLENGED),
    ),
)


def _confirmed(name: str, scope: Scope, limit: str) -> Layer:
    # Failures, because a confirmation that makes no account gives its place back.
    return _failures(name, scope, limit=limit, mode=Mode.ENFORCE, lane=Lane.EVERYONE)


SIGNUP_CONFIRM = Policy(
    "signup-confirm",
    (
        # Charged when the code was right and an account is made, so that nobody takes another's place by asking.
        _confirmed("mailbox", Scope.ID, "1/365d"),
        # A domain of one's own has mailboxes without end. Shared ones (gmail.com) are counted by the mailbox.
        _confirmed("domain", Scope.DOMAIN, "50/24h"),
        _attempts("attempts-an-address", Scope.IP, limit="300/15m", lane=Lane.EVERYONE),
    ),
    # One is one: processes that count for themselves would make an account each.
    fail_mode=FailMode.CLOSED,
)

_SEND_ACCOUNT = _attempts("account", Scope.ID, limit="3/10m")
_SEND_ACCOUNT_A_DAY = _attempts("account-a-day", Scope.ID, limit="5/24h")
_SEND_ADDRESS = _attempts("address", Scope.IP, limit="10/10m")
_SEND_SUBNET = _attempts("subnet", Scope.SUBNET, limit="40/10m")
_SEND_SITE = _attempts("site", Scope.SITE, limit="80/10m")
_SEND_GLOBAL = _attempts("global", Scope.GLOBAL, limit="500/1m")
_SENDS = (
    _SEND_ACCOUNT,
    _known(_SEND_ACCOUNT, Scope.ID, Scope.DEVICE),
    _SEND_ACCOUNT_A_DAY,
    _known(_SEND_ACCOUNT_A_DAY, Scope.ID, Scope.DEVICE),
    _SEND_ADDRESS,
    _known(_SEND_ADDRESS),
    _SEND_SUBNET,
    _known(_SEND_SUBNET),
    _SEND_SITE,
    _known(_SEND_SITE),
    _SEND_GLOBAL,
    # On top of the strangers' 500: a flood that takes all of those leaves the owners theirs.
    _known(_SEND_GLOBAL, limit="100/1m"),
)

# A message costs money, and a reset sends one: without the store there is none.
OTP_SEND = Policy("otp-send", _SENDS, fail_mode=FailMode.CLOSED)
PASSWORD_RESET = Policy("password-reset", _SENDS, fail_mode=FailMode.CLOSED)


_BACKOFF = Limit.backoff(0, parse_duration("60s"), parse_duration("5m"), parse_duration("24h"))
_PACE = Layer("pace", (Scope.ID, Scope.IP), _BACKOFF, lane=Lane.STRANGERS)
_LADDER = Layer("ladder", (Scope.DESTINATION,), _BACKOFF, lane=Lane.STRANGERS)

MESSAGE = Policy(
    "message",
    (
        # What one client may ask for: it is told so. A code that comes back resets it.
        _PACE,
        _known(_PACE, Scope.ID, Scope.DEVICE),
        # What one mailbox or phone gets, in all flows together. Nobody is told: "sent" is said, and nothing goes out.
        _LADDER,
        _known(_LADDER, Scope.DESTINATION, Scope.DEVICE),
        # From the third message in a week that nobody answered, each says that somebody keeps asking.
        _attempts("notice", Scope.DESTINATION, limit="2/7d", mode=Mode.SHADOW),
    ),
    fail_mode=FailMode.CLOSED,
    sensitive=False,
)

_VERIFY_ACCOUNT = _failures("account", Scope.ID, limit="20/24h", mode=Mode.ENFORCE)
_VERIFY_AUTHENTICATOR = _failures("authenticator", Scope.AUTHENTICATOR, limit="20/24h", mode=Mode.ENFORCE)
_VERIFY_ADDRESS = _failures("address", Scope.IP, limit="20/10m", mode=Mode.ENFORCE)

OTP_VERIFY = Policy(
    "otp-verify",
    (
        # 20 guesses a day at 6 digits: 0.73 % a year. Survives resends, flows, sessions and addresses.
        _VERIFY_ACCOUNT,
        _VERIFY_AUTHENTICATOR,
        # As for login: a stolen cookie is worth one budget, however many names its account has.
        _known(_VERIFY_ACCOUNT, Scope.ID, Scope.DEVICE),
        _known(_VERIFY_AUTHENTICATOR, Scope.AUTHENTICATOR, Scope.DEVICE),
        _VERIFY_ADDRESS,
        _known(_VERIFY_ADDRESS),
        *_ALL_ATTEMPTS,
    ),
    fail_mode=FailMode.CLOSED,
    digits=6,
)

_FACTOR = _failures("account", Scope.ID, limit="5/15m", mode=Mode.ENFORCE)
_FACTOR_A_DAY = _failures("account-a-day", Scope.ID, limit="20/24h", mode=Mode.ENFORCE)
_FACTOR_CEILING = _failures("ceiling", Scope.ID, limit="100/365d", mode=Mode.ENFORCE)

SECOND_FACTOR = Policy(
    "second-factor",
    (
        # Each authenticator of an account is an identity of its own. Whoever guesses here knows the password already.
        _FACTOR,
        _known(_FACTOR, Scope.ID, Scope.DEVICE),
        _FACTOR_A_DAY,
        _known(_FACTOR_A_DAY, Scope.ID, Scope.DEVICE),
        # NIST SP 800-63B-4, 3.2.2, again; and 20 a day at three right codes at a time would be 2.2 % a year.
        _FACTOR_CEILING,
        _known(_FACTOR_CEILING, Scope.ID, Scope.DEVICE),
        _VERIFY_ADDRESS,
        _known(_VERIFY_ADDRESS),
        *_ALL_ATTEMPTS,
    ),
    fail_mode=FailMode.CLOSED,
    digits=6,
    live_codes=3,
)

_SHIPPED = (LOGIN, SIGNUP, SIGNUP_CONFIRM, OTP_SEND, MESSAGE, OTP_VERIFY, SECOND_FACTOR, PASSWORD_RESET)
PRESETS: Mapping[str, Policy] = MappingProxyType({policy.name: policy for policy in _SHIPPED})
"""The shipped policies by name; ``authguard.toml`` changes them layer by layer."""
