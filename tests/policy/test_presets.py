"""The shipped numbers, each with the layer that holds it."""

from __future__ import annotations

from typing import Any

import pytest

from authguard.limits import Counts, Mode
from authguard.policy import PRESETS, FailMode, Lane, Scope, check_policies

ATTEMPTS = {
    "attempts": "id+ip attempts strangers 30/15m",
    "attempts-known": "id+ip attempts known 30/15m",
    "attempts-an-address": "ip attempts strangers 300/15m",
    "attempts-an-address-known": "ip attempts known 300/15m",
}
SENDS = {
    "account": "id attempts strangers 3/10m",
    "account-known": "id+device attempts known 3/10m",
    "account-a-day": "id attempts strangers 5/1d",
    "account-a-day-known": "id+device attempts known 5/1d",
    "address": "ip attempts strangers 10/10m",
    "address-known": "ip attempts known 10/10m",
    "subnet": "subnet attempts strangers 40/10m",
    "subnet-known": "subnet attempts known 40/10m",
    "site": "site attempts strangers 80/10m",
    "site-known": "site attempts known 80/10m",
    "global": "global attempts strangers 500/1m",
    "global-known": "global attempts known 100/1m",
}
NUMBERS = {
    "login": {
        "account": "id failures strangers 5/15m",
        "authenticator": "authenticator failures strangers 5/15m",
        "account-known": "id+device failures known 5/15m",
        "authenticator-known": "authenticator+device failures known 5/15m",
        "address": "ip failures strangers 20/15m",
        "subnet": "subnet failures strangers 100/15m",
        "site": "site failures strangers 200/15m",
        "accounts-an-address": "ip failures strangers 3/1h different id",
        "accounts-an-address-at-once": "ip failures strangers 2/10m different id",
        "accounts-an-address-a-day": "ip failures strangers 30/1d different id",
        "accounts-a-site": "site failures strangers 10/1h different id",
        "accounts-tried-an-address": "ip attempts strangers 30/1h different id",
        "ceiling": "id failures strangers 100/52w1d",
        "ceiling-authenticator": "authenticator failures strangers 100/52w1d",
        "same-secret": "secret failures strangers 30/1d",
        "alarm": "global attempts strangers 1/10m gate",
        "challenged": "id failures challenged 20/1d",
        "challenged-authenticator": "authenticator failures challenged 20/1d",
        "challenged-a-client": "id+ip failures challenged 10/1d",
        "challenged-an-address": "ip failures challenged 60/1h",
        **ATTEMPTS,
    },
    "signup": {
        "account": "id attempts everyone 5/1h",
        "address": "ip attempts everyone 10/1h",
        "subnet": "subnet attempts everyone 40/1h",
        "site": "site attempts everyone 80/1h",
        "global": "global attempts everyone 500/1m",
        "challenged-an-address": "ip attempts challenged 60/1h",
    },
    "signup-confirm": {
        "mailbox": "id failures everyone 1/52w1d",
        "domain": "domain failures everyone 50/1d",
        "attempts-an-address": "ip attempts everyone 300/15m",
    },
    "otp-send": SENDS,
    "message": {
        "pace": "id+ip attempts strangers backoff 0s, 1m, 5m, 1d",
        "pace-known": "id+device attempts known backoff 0s, 1m, 5m, 1d",
        "ladder": "destination attempts strangers backoff 0s, 1m, 5m, 1d",
        "ladder-known": "destination+device attempts known backoff 0s, 1m, 5m, 1d",
        "notice": "destination attempts strangers 2/1w",
    },
    "second-factor": {
        "account": "id failures strangers 5/15m",
        "account-known": "id+device failures known 5/15m",
        "account-a-day": "id failures strangers 20/1d",
        "account-a-day-known": "id+device failures known 20/1d",
        "ceiling": "id failures strangers 100/52w1d",
        "ceiling-known": "id+device failures known 100/52w1d",
        "address": "ip failures strangers 20/10m",
        "address-known": "ip failures known 20/10m",
        **ATTEMPTS,
    },
    "otp-verify": {
        "account": "id failures strangers 20/1d",
        "authenticator": "authenticator failures strangers 20/1d",
        "account-known": "id+device failures known 20/1d",
        "authenticator-known": "authenticator+device failures known 20/1d",
        "address": "ip failures strangers 20/10m",
        "address-known": "ip failures known 20/10m",
        **ATTEMPTS,
    },
    "password-reset": SENDS,
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name: str) -> None:
    said = {
        layer.name: f"{'+'.join(layer.scopes)} {layer.counts} {layer.lane} {layer.limit}"
        + (f" different {layer.distinct}" if layer.distinct else "")
        + (" gate" if layer.gate else "")
        for layer in PRESETS[name].layers
    }
    assert said == NUMBERS[name]


def test_there_are_these_presets() -> None:
    assert set(PRESETS) == set(NUMBERS)


def test_presets_are_above_doubt() -> None:
    assert check_policies(PRESETS) == ()


def test_presets_are_frozen() -> None:
    login: Any = PRESETS["login"]
    with pytest.raises(AttributeError):
        login.hold = 1
    presets: Any = PRESETS
    with pytest.raises(TypeError):
        presets["login"] = PRESETS["signup"]


def test_what_costs_money_or_takes_codes_is_closed_without_a_store() -> None:
    modes = {name: policy.fail_mode for name, policy in PRESETS.items()}
    assert modes == {
        "login": FailMode.LOCAL,
        "signup": FailMode.LOCAL,
        "signup-confirm": FailMode.CLOSED,
        "otp-send": FailMode.CLOSED,
        "message": FailMode.CLOSED,
        "second-factor": FailMode.CLOSED,
        "otp-verify": FailMode.CLOSED,
        "password-reset": FailMode.CLOSED,
    }


def test_codes_have_six_digits_of_which_an_app_shows_three_that_are_right() -> None:
    spaces = {name: (policy.digits, policy.live_codes) for name, policy in PRESETS.items() if policy.digits}
    assert spaces == {"otp-verify": (6, 1), "second-factor": (6, 3)}


def test_address_layers_of_a_login_step_strangers_up_before_they_refuse() -> None:
    for layer in PRESETS["login"].layers:
        if layer.counts is Counts.FAILURES and layer.lane is Lane.STRANGERS:
            assert layer.mode is Mode.STEP_UP


def test_nothing_that_strangers_fill_concerns_a_known_device() -> None:
    for policy in PRESETS.values():
        if policy.name.startswith("signup"):
            continue
        for layer in policy.layers:
            assert layer.lane is not Lane.EVERYONE
            assert Scope.DEVICE not in layer.scopes or layer.lane is Lane.KNOWN
