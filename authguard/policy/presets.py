"""Presets: the policies that come with authguard, with the reason of each number."""

from __future__ import annotations

from authguard.durations import parse_duration
from authguard.limits import Algorithm, Counts, Limit, Mode
from authguard.policy.model import FailMode, Lane, Layer, Policy, Scope

_QUARTER = parse_duration("15m")
_HOUR = parse_duration("1h")
_DAY = parse_duration("24h")
_YEAR = parse_duration("365d")


def _failures(name: str, *scopes: Scope, limit: str, mode: Mode = Mode.STEP_UP, lane: Lane = Lane.STRANGERS) -> Layer:
    return Layer(name, scopes, Limit.parse(limit), Counts.FAILURES, mode, lane)


def _attempts(name: str, *scopes: Scope, limit: str, mode: Mode = Mode.ENFORCE, lane: Lane = Lane.EVERYONE) -> Layer:
    return Layer(name, scopes, Limit.parse(limit), Counts.ATTEMPTS, mode, lane)


def _distinct(name: str, scope: Scope, of: Scope, amount: int, period: int) -> Layer:
    limit = Limit(amount, period, Algorithm.DISTINCT)
    return Layer(name, (scope,), limit, Counts.FAILURES, Mode.STEP_UP, Lane.STRANGERS, distinct=of)


LOGIN = Policy(
    "login",
    (
        # Failures. The account's layer is the guess budget; those on addresses see sprays and botnets.
        _failures("account", Scope.ID, limit="5/15m"),
        # The same for the account behind the identifier: its user name and its e-mail address share this one. A
        # denial of it alone is not shown, for it would tie the two together (law 8).
        _failures("authenticator", Scope.AUTHENTICATOR, limit="5/15m"),
        _failures("address", Scope.IP, limit="20/15m"),
        _failures("subnet", Scope.SUBNET, limit="100/15m"),
        _failures("site", Scope.SITE, limit="200/15m"),
        _distinct("accounts-an-address", Scope.IP, Scope.ID, 3, _HOUR),
        # NIST SP 800-63B-4, 3.2.2: no more than 100 consecutive failures an authenticator.
        _failures("ceiling", Scope.AUTHENTICATOR, limit="100/365d"),
        # The account's own devices have lanes of their own (law 6), small: a stolen cookie is no ticket to guess.
        _failures("account-known", Scope.ID, Scope.DEVICE, limit="5/15m", lane=Lane.KNOWN),
        # All attempts, never refunded: what a success gives back can't be spent without end (law 5).
        _attempts("attempts", Scope.ID, Scope.IP, limit="30/15m", lane=Lane.STRANGERS),
        _attempts("attempts-an-address", Scope.IP, limit="300/15m", lane=Lane.STRANGERS),
        _attempts("attempts-known", Scope.ID, Scope.DEVICE, limit="30/15m", lane=Lane.KNOWN),
    ),
)

SIGNUP = Policy(
    "signup",
    (
        _attempts("account", Scope.ID, limit="5/1h"),
        _attempts("address", Scope.IP, limit="10/1h", mode=Mode.STEP_UP),
        _attempts("subnet", Scope.SUBNET, limit="40/1h", mode=Mode.STEP_UP),
        _attempts("site", Scope.SITE, limit="80/1h", mode=Mode.STEP_UP),
        _attempts("global", Scope.GLOBAL, limit="500/1m"),
    ),
)

OTP_SEND = Policy(
    "otp-send",
    (
        _attempts("account", Scope.ID, limit="3/10m"),
        _attempts("account-a-day", Scope.ID, limit="5/24h"),
        _attempts("address", Scope.IP, limit="10/10m"),
        _attempts("subnet", Scope.SUBNET, limit="40/10m"),
        _attempts("site", Scope.SITE, limit="80/10m"),
        _attempts("global", Scope.GLOBAL, limit="500/1m"),
    ),
    fail_mode=FailMode.CLOSED,  # a message costs money
)

OTP_VERIFY = Policy(
    "otp-verify",
    (
        # 20 guesses a day at 6 digits: 0.73 % a year. Survives resends, flows, sessions and addresses.
        _failures("account", Scope.ID, limit="20/24h", mode=Mode.ENFORCE),
        _failures("account-known", Scope.ID, Scope.DEVICE, limit="20/24h", mode=Mode.ENFORCE, lane=Lane.KNOWN),
        _failures("address", Scope.IP, limit="20/10m", mode=Mode.ENFORCE, lane=Lane.EVERYONE),
        _attempts("attempts", Scope.ID, Scope.IP, limit="30/15m"),
        _attempts("attempts-an-address", Scope.IP, limit="300/15m"),
    ),
    fail_mode=FailMode.CLOSED,
)

PASSWORD_RESET = Policy(
    "password-reset",
    (
        _attempts("account", Scope.ID, limit="3/10m"),
        _attempts("account-a-day", Scope.ID, limit="5/24h"),
        _attempts("address", Scope.IP, limit="10/10m"),
        _attempts("subnet", Scope.SUBNET, limit="40/10m"),
        _attempts("site", Scope.SITE, limit="80/10m"),
        _attempts("global", Scope.GLOBAL, limit="500/1m"),
    ),
    fail_mode=FailMode.CLOSED,
)

PRESETS: dict[str, Policy] = {policy.name: policy for policy in (LOGIN, SIGNUP, OTP_SEND, OTP_VERIFY, PASSWORD_RESET)}
"""The shipped policies by name. Numbers: requirements of login, one-time codes and sign-up; change them in TOML."""
