"""What a layer and a policy refuse to be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from authguard.limits import Algorithm, Counts, Limit, Mode
from authguard.policy import PRESETS, Kind, Lane, Layer, Policy, Scope
from authguard.policy.model import Unfit

FIVE = Limit.parse("5/15m")
DISTINCT = Limit.parse("3/1h", Algorithm.DISTINCT)
LAYER = Layer("account", (Scope.ID,), FIVE)


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"name": ""}, "name"),
        ({"name": "Account"}, "name"),
        ({"name": "a/b"}, "name"),
        ({"name": "ä"}, "name"),
        ({"name": "a\n"}, "name"),
        ({"name": "a" * 65}, "name"),
        ({"share": ""}, "share"),
        ({"scopes": ()}, "scope"),
        ({"scopes": "id"}, "scope"),
        ({"scopes": ("account",)}, "scope"),
        ({"scopes": (Scope.ID, Scope.ID)}, "scope"),
        ({"scopes": (Scope.GLOBAL, Scope.ID)}, "scope"),
        ({"scopes": (Scope.DEVICE,)}, "lane"),
        ({"scopes": (Scope.ID, Scope.DEVICE), "lane": Lane.STRANGERS}, "lane"),
        ({"limit": DISTINCT, "distinct": Scope.DEVICE}, "lane"),
        ({"limit": DISTINCT}, "distinct"),
        ({"distinct": Scope.IP}, "distinct"),
        ({"limit": DISTINCT, "distinct": Scope.ID}, "distinct"),
        ({"limit": DISTINCT, "distinct": Scope.GLOBAL}, "distinct"),
        ({"limit": DISTINCT, "distinct": Scope.IP, "cost": 2}, "cost"),
        ({"mode": "enforced"}, "mode"),
        ({"lane": "fast"}, "lane"),
        ({"counts": "successes"}, "counts"),
        ({"limit": Limit.parse("5/15m", Algorithm.BUDGET), "counts": "reservations"}, "counts"),
        ({"cost": 0}, "cost"),
        ({"cost": True}, "cost"),
        ({"cost": 6}, "cost"),
        ({"lease": -1}, "lease"),
        ({"apart": True}, "apart"),
        ({"scopes": (Scope.GLOBAL,), "apart": True, "counts": Counts.FAILURES}, "apart"),
        ({"scopes": (Scope.GLOBAL,), "apart": True, "limit": Limit.parse("5/15m", Algorithm.GCRA)}, "apart"),
        *(
            ({"limit": Limit.parse("5/15m", algorithm), "counts": Counts.FAILURES}, "counts")
            for algorithm in Algorithm
            if algorithm not in {Algorithm.SLIDING_LOG, Algorithm.DISTINCT, Algorithm.BACKOFF}
        ),
        ({"limit": Limit.backoff(0, 60), "counts": Counts.FAILURES}, "counts"),
    ],
)
def test_a_layer_refuses(changes: dict[str, Any], key: str) -> None:
    with pytest.raises(Unfit) as caught:
        replace(LAYER, **changes)
    assert caught.value.key == key
    assert str(caught.value) == f"{key} {caught.value.reason}"


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"name": "Log in"}, "name"),
        ({"layers": ()}, "layers"),
        ({"layers": (LAYER, LAYER)}, "layers"),
        ({"layers": (replace(LAYER, name="unidentified"),)}, "layers"),
        ({"layers": (replace(LAYER, share="x"), replace(LAYER, name="b", share="x"))}, "layers"),
        ({"kinds": ()}, "kinds"),
        ({"kinds": ("email", "email")}, "kinds"),
        ({"kinds": ("passport",)}, "kinds"),
        ({"default_region": "gb"}, "default_region"),
        ({"fail_mode": "shut"}, "fail_mode"),
        ({"hold": 0}, "hold"),
        ({"unidentified": DISTINCT}, "unidentified"),
    ],
)
def test_a_policy_refuses(changes: dict[str, Any], key: str) -> None:
    with pytest.raises(Unfit) as caught:
        replace(Policy("p", (LAYER,)), **changes)
    assert caught.value.key == key


def test_plain_words_become_members() -> None:
    words: Any = {"scopes": ["id", "ip"], "mode": "shadow", "lane": "known", "counts": "failures"}
    layer = replace(LAYER, **words)
    assert layer.scopes == (Scope.ID, Scope.IP)
    assert layer.mode is Mode.SHADOW
    assert layer.lane is Lane.KNOWN
    kinds: Any = ["email"]
    assert Policy("p", (layer,), kinds).kinds[0] is Kind.EMAIL


def test_one_share_may_stand_in_two_lanes() -> None:
    shared = replace(LAYER, share="x", lane=Lane.STRANGERS)
    assert Policy("p", (shared, replace(shared, name="b", lane=Lane.KNOWN))).layers


def test_a_layer_is_found_by_name() -> None:
    policy = replace(PRESETS["login"], unidentified=FIVE)
    assert policy.layer("site").scopes == (Scope.SITE,)
    assert policy.layer("unidentified").limit == FIVE
    with pytest.raises(KeyError):
        policy.layer("stranger")
    with pytest.raises(KeyError):
        PRESETS["login"].layer("unidentified")


def test_needs_names_what_is_counted() -> None:
    assert PRESETS["login"].needs(Scope.AUTHENTICATOR)
    assert not PRESETS["login"].needs(Scope.DOMAIN)
    assert Policy("p", (replace(LAYER, limit=DISTINCT, distinct=Scope.DOMAIN),)).needs(Scope.DOMAIN)


@pytest.mark.parametrize(
    ("changes", "proves"),
    [
        ({}, True),
        ({"scopes": (Scope.AUTHENTICATOR,)}, True),
        ({"scopes": (Scope.ID, Scope.IP)}, True),
        ({"scopes": (Scope.IP,)}, False),
        ({"counts": Counts.ATTEMPTS}, False),
        ({"limit": DISTINCT, "distinct": Scope.IP}, False),
    ],
)
def test_only_failures_on_the_account_are_cleared_by_a_success(changes: dict[str, Any], proves: bool) -> None:
    assert replace(LAYER, **{"counts": Counts.FAILURES, **changes}).proves is proves
