"""Every wrong line of a policy file is one sentence that names file, table and key."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import pytest

from authguard.errors import ConfigurationError
from authguard.policy import PRESETS, load_policies, merge_policies, read_policies

ACCOUNT = "[policies.login.layers.account]\n"
NEW = "[policies.search.layers.user]\n"

# What a line must be answered with, after the name of the file; the words in capitals stand for a place.
SENTENCES = {
    "surprise = 1": "surprise at the top level is not known; use policies, identity, proxies",
    "policies = 1": "policies at the top level must be a table",
    "[[policies]]": "policies at the top level must be a table",
    "policies.login = 3": "login in [policies] must be a table",
    "policies.login.hodl = '2m'": "hodl LOGIN is not known; use kinds,",
    "policies.login.hold = '2 minutes'": "hold LOGIN is wrong: '2 minutes' is not a duration;",
    "policies.login.hold = '0s'": "hold LOGIN is wrong: the duration '0s' must be longer than zero",
    "policies.login.fail_mode = 'shut'": 'fail_mode LOGIN is "shut"; use one of closed, local, open',
    "policies.login.kinds = []": "kinds LOGIN must be text, or a list of texts",
    "policies.login.kinds = ['email', 'email']": "kinds LOGIN must name at least one kind",
    "policies.login.default_region = 'UK'": "default_region LOGIN is wrong: 'UK' is no phone region; write GB",
    "policies.login.unidentified = '10'": "unidentified LOGIN is wrong: '10' is not a limit;",
    "policies.search.hold = '1m'": "layers in [policies.search] is missing or empty;",
    "policies.search.layers = 7": "layers in [policies.search] must be a table",
    "policies.'Log in'.layers.x = {scope = 'id', limit = '5/1m'}": '[policies."Log in"] has a name that can\'t be used',
    "policies.a.layers.'x y' = {scope = 'id', limit = '5/1m'}": '[policies.a.layers."x y"] has a name',
    ACCOUNT + "limt = '5/1h'": "limt ACCOUNT is not known; use scope, limit,",
    ACCOUNT + "limit = '5 per hour'": "limit ACCOUNT is wrong: '5 per hour' is not a limit;",
    ACCOUNT + "limit = '0/1h'": "limit ACCOUNT is wrong: a limit needs an amount",
    ACCOUNT + "limit = '5/500d'": "limit ACCOUNT is wrong: the duration '500d'",
    ACCOUNT + "limit = '9999999999/400d'": "limit ACCOUNT is wrong: amount times period",
    ACCOUNT + "limit = 5": "limit ACCOUNT must be text, such as '5/15m'",
    ACCOUNT + "algorithm = 'gcra'": 'counts ACCOUNT can\'t be "failures" with gcra',
    ACCOUNT + "algorithm = 'magic'": 'algorithm ACCOUNT is "magic"; use one of sliding-log',
    ACCOUNT + "burst = 3": "burst ACCOUNT belongs to gcra, leaky-bucket, token-bucket;",
    ACCOUNT + "gaps = ['0s']": 'gaps ACCOUNT belongs to algorithm = "backoff"',
    ACCOUNT + "distinct = 'id'": "distinct ACCOUNT is id, of which there is only one here",
    ACCOUNT + "scope = ['id', 'id']": "scope ACCOUNT names a scope twice",
    ACCOUNT + "scope = 'device'": 'lane ACCOUNT must be "known"',
    ACCOUNT + "share = 'Ä'": "share ACCOUNT must be lower-case letters",
    ACCOUNT + "cost = 6": "cost ACCOUNT is 6, but the layer never admits more than 5",
    ACCOUNT + "remove = 1": "remove ACCOUNT must be true or false",
    ACCOUNT + "remove = true\nlimit = '5/1h'": "limit ACCOUNT is not known; use remove alone",
    "[policies.login.layers.acount]\nremove = true": "remove in [policies.login.layers.acount] names a layer that the",
    NEW + "limit = '5/1m'": "scope USER is missing; use one of id, ip,",
    NEW + "scope = 'user'": "limit USER is missing; write an amount and a period",
    NEW + "scope = 'user'\nalgorithm = 'distinct'\nlimit = '5/1m'": "distinct USER is missing",
    NEW + "scope = 'user'\nalgorithm = 'backoff'": "gaps USER is missing; write how long",
    NEW + "scope = 'user'\nalgorithm = 'backoff'\ngaps = ['soon']": "gaps USER is wrong: 'soon'",
    NEW + "scope = 'user'\nalgorithm = 'backoff'\nlimit = '5/1m'": "limit USER does not go",
    NEW + "scope = 'user'\nalgorithm = 'gcra'\nlimit = '5/1m'\nburst = 0": "burst USER must be at",
    NEW + "scope = 'user'\nalgorithm = 'distinct'\ndistinct = 'ip'\nlimit = '5/1m'\ncost = 2": "cost USER is 2, but",
    NEW + "scope = 'user'\nlimit = '10001/1m'": "AG108: [policies.search.layers.user] limit keeps an exact log",
    NEW + "scope = 'user'\nlimit = '5/1m'\nlane = 'known'": "AG107: [policies.search] layers limit known devices only",
    ACCOUNT + "limit = '5/1h'\n" + ACCOUNT: "not valid TOML: Cannot declare",
    "a = " + "[" * 100_000: "not valid TOML: it is nested too deeply",
    "a = " + "9" * 5_000: "not valid TOML: Exceeds the limit",
    "a = 2026-02-30": "not valid TOML: Invalid date",
}


PLACES = {
    " ACCOUNT": " in [policies.login.layers.account]",
    " USER": " in [policies.search.layers.user]",
    " LOGIN": " in [policies.login]",
}


@pytest.mark.parametrize("text", SENTENCES)
def test_sentence(text: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_policies(text, "my.toml")
    message, expected = str(caught.value), SENTENCES[text]
    for word, place in PLACES.items():
        expected = expected.replace(word, place, 1)
    assert message.startswith(f"my.toml: {expected}")
    assert "\n" not in message


def test_true_is_no_number() -> None:
    text = NEW + "scope = 'user'\nalgorithm = 'gcra'\nlimit = '5/1m'\nburst = true"
    with pytest.raises(ConfigurationError, match=r"burst in \[policies\.search\.layers\.user\] must be a whole number"):
        read_policies(text)


def test_long_words_are_cut() -> None:
    for text in (
        f"{'k' * 999} = 1",
        f"policies.login.fail_mode = '{'v' * 999}'",
        f"policies.login.hold = '{'1' * 999}'",
    ):
        with pytest.raises(ConfigurationError) as caught:
            read_policies(text)
        assert len(str(caught.value)) < 200


WRONG: tuple[Any, ...] = (
    True,
    False,
    0,
    -1,
    2**70,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "☃",
    "\x00",
    [],
    [1],
    [[]],
    ["☃"],
    {},
    {"a": {}},
    datetime(2026, 12, 1, tzinfo=UTC),
    date(2026, 12, 1),
    time(12, 0),
)
LAYER_KEYS = "scope limit algorithm burst gaps counts mode lane distinct share cost remove"
POLICY_KEYS = "kinds default_region fail_mode hold sensitive unidentified layers"


@pytest.mark.parametrize("value", WRONG, ids=repr)
@pytest.mark.parametrize("key", LAYER_KEYS.split())
def test_wrong_value_in_a_layer(key: str, value: Any) -> None:
    if key == "remove" and isinstance(value, bool):
        # "true" takes the layer away, "false" leaves it as it is.
        policies = merge_policies({"policies": {"login": {"layers": {"site": {key: value}}}}}, "f")
        assert ("site" in {layer.name for layer in policies["login"].layers}) is not value
        return
    document = {"policies": {"login": {"layers": {"account": {key: value}}}}}
    with pytest.raises(ConfigurationError, match=rf"^f: {key} in \[policies\.login\.layers\.account\] [^\n]+$"):
        merge_policies(document, "f")


@pytest.mark.parametrize("value", WRONG, ids=repr)
@pytest.mark.parametrize("key", POLICY_KEYS.split())
def test_wrong_value_in_a_policy(key: str, value: Any) -> None:
    document = {"policies": {"login": {key: value}}}
    if (key == "sensitive" and isinstance(value, bool)) or (key == "layers" and value == {}):
        assert merge_policies(document, "f").keys() == PRESETS.keys()
        return
    place = rf"{key} in \[policies\.login\]"
    if key == "layers" and value == {"a": {}}:
        place = r"scope in \[policies\.login\.layers\.a\]"
    with pytest.raises(ConfigurationError, match=rf"^f: {place} [^\n]+$"):
        merge_policies(document, "f")


def test_nothing_said_is_the_presets() -> None:
    assert read_policies("") == dict(PRESETS) == load_policies(None)


def test_a_file_is_read_with_and_without_a_byte_order_mark(tmp_path: Path) -> None:
    for mark in (b"", b"\xef\xbb\xbf"):
        path = tmp_path / "authguard.toml"
        path.write_bytes(mark + ACCOUNT.replace("\n", "\r\n").encode() + b"limit = '7/1h'\r\n")
        assert load_policies(path)["login"].layer("account").limit.amount == 7


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"missing\.toml: the file can't be read: No such file"):
        load_policies(tmp_path / "missing.toml")
    with pytest.raises(ConfigurationError, match="can't be read: Is a directory"):
        load_policies(tmp_path)
    with pytest.raises(ConfigurationError, match="can't be read: ValueError"):
        load_policies("a\0b")


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "authguard.toml"
    path.write_bytes("limit = 'ä'".encode("utf-16"))
    with pytest.raises(ConfigurationError, match=r"authguard\.toml: the file is not UTF-8 text"):
        load_policies(path)
