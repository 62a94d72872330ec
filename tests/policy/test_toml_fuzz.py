"""Whatever stands in a policy file: policies, or one sentence."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from authguard.errors import ConfigurationError
from authguard.limits import Algorithm, Counts, Mode
from authguard.policy import PRESETS, FailMode, Kind, Lane, Policy, Scope, merge_policies, read_policies
from authguard.policy.settings import merge_settings
from tests.policy.sample import SAMPLE

WORDS = st.sampled_from(
    [
        *Algorithm,
        *Counts,
        *Mode,
        *FailMode,
        *Lane,
        *Kind,
        *Scope,
        "5/15m",
        "0/1h",
        "3/1h",
        "9999999999/400d",
        "2m",
        "0s",
    ]
)
SCALARS = (
    WORDS.map(str)
    | st.text(max_size=8)
    | st.integers()
    | st.booleans()
    | st.floats()
    | st.dates()
    | st.times()
    | st.datetimes()
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)
LAYER_KEYS = st.sampled_from(
    ["scope", "limit", "algorithm", "burst", "gaps", "counts", "mode", "lane", "distinct", "share", "cost", "remove"]
)
LAYERS = st.dictionaries(LAYER_KEYS | st.text(max_size=4), VALUES, max_size=6)
POLICY_KEYS = st.sampled_from(["kinds", "default_region", "fail_mode", "hold", "sensitive", "unidentified", "layers"])
NAMES = st.sampled_from(["account", "address", "accounts-an-address", "new"]) | st.text(max_size=6)
POLICIES = st.dictionaries(
    POLICY_KEYS | st.text(max_size=4), VALUES | st.dictionaries(NAMES, LAYERS | VALUES, max_size=2), max_size=4
)
DOCUMENTS = st.dictionaries(
    st.sampled_from(["policies", "identity", "proxies"]) | st.text(max_size=4),
    VALUES | st.dictionaries(st.sampled_from(sorted(PRESETS)) | st.text(max_size=6), POLICIES, max_size=2),
    max_size=3,
)


def complain(error: ConfigurationError, place: str = "") -> None:
    """Assert that ``error`` is one sentence about the file, and about the ``place`` in it."""
    message = str(error)
    assert message.startswith("f.toml: ")
    assert len(message.splitlines()) == 1
    assert len(message) < 1000
    assert re.search(place, message)


@pytest.mark.fuzz
@given(DOCUMENTS)
def test_any_document(document: dict[str, Any]) -> None:
    try:
        policies = merge_policies(document, "f.toml")
    except ConfigurationError as error:
        complain(error)
    else:
        assert all(isinstance(policy, Policy) for policy in policies.values())


@pytest.mark.fuzz
@given(
    policy=st.sampled_from(["login", "new"]),
    layers=st.dictionaries(
        st.sampled_from(["account", "accounts-an-address", "attempts", "account-known", "challenged", "new"]),
        st.fixed_dictionaries(
            {},
            optional={
                "scope": st.sampled_from([*map(str, Scope)])
                | st.lists(st.sampled_from([*map(str, Scope)]), max_size=3),
                "limit": st.sampled_from(["5/1h", "1/1s", "20000/1m", "9999999999/400d"]),
                "algorithm": st.sampled_from([*map(str, Algorithm)]),
                "burst": st.integers(-1, 10),
                "gaps": st.lists(st.sampled_from(["0s", "60s", "24h", "0h", "x"]), max_size=3),
                "counts": st.sampled_from([*map(str, Counts)]),
                "mode": st.sampled_from([*map(str, Mode)]),
                "lane": st.sampled_from([*map(str, Lane)]),
                "distinct": st.sampled_from([*map(str, Scope)]),
                "share": st.sampled_from(["a", "b", "B"]),
                "cost": st.integers(0, 6),
                "remove": st.booleans(),
            },
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_any_layers_of_fit_words(policy: str, layers: dict[str, dict[str, Any]]) -> None:
    try:
        merged = merge_policies({"policies": {policy: {"layers": layers}}}, "f.toml")[policy]
    except ConfigurationError as error:
        complain(error, rf"\[policies\.{policy}(\.layers\.({'|'.join(layers)}))?\]")
    else:
        kept = {layer.name for layer in merged.layers}
        assert all((name in kept) is (layer.get("remove") is not True) for name, layer in layers.items())


@pytest.mark.fuzz
@given(st.text())
@example("\ufeff")
@example("a = " + "{a=" * 5000)
@example("a." * 5000 + "a = 1")
def test_any_text(text: str) -> None:
    try:
        read_policies(text, "f.toml")
    except ConfigurationError as error:
        complain(error)


@pytest.mark.fuzz
@given(st.integers(0, len(SAMPLE)), st.integers(0, 5), st.text(max_size=5) | st.sampled_from(["[", '"', "\n", "true"]))
def test_a_good_file_damaged_anywhere(start: int, cut: int, insert: str) -> None:
    try:
        read_policies(SAMPLE[:start] + insert + SAMPLE[start + cut :], "f.toml")
    except ConfigurationError as error:
        complain(error)


@pytest.mark.parametrize("value", [date.min, datetime.min.replace(tzinfo=UTC), time.min, 2**64, float("nan")])
@pytest.mark.parametrize("path", [("identity",), ("proxies",), ("identity", "email"), ("identity", "email", "cut_at")])
def test_wrong_value_beyond_policies(path: tuple[str, ...], value: Any) -> None:
    document = value
    for key in reversed(path):
        document = {key: document}
    with pytest.raises(ConfigurationError, match=rf"^f: {path[-1]} (in|at) "):
        merge_settings(document, "f")
