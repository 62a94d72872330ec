"""What a file's layer makes of the preset's layer of the same name."""

from __future__ import annotations

import pytest

from authguard.errors import ConfigurationError
from authguard.limits import Algorithm, Counts, Limit, Mode
from authguard.policy import PRESETS, Layer, Scope, read_policies
from authguard.policy.layer_table import read_layer
from authguard.policy.settings import merge_settings
from authguard.policy.table import Table
from authguard.policy.toml import parse_text


def layer(text: str, name: str, policy: str = "login") -> Layer:
    """Return one layer of what ``text`` makes."""
    return read_policies(text)[policy].layer(name)


def test_one_key_changes_and_the_others_stay() -> None:
    changed = layer('[policies.login.layers.address]\nlimit = "50/1h"', "address")
    preset = PRESETS["login"].layer("address")
    assert changed.limit == Limit.parse("50/1h")
    assert (changed.counts, changed.mode, changed.lane, changed.scopes) == (
        preset.counts,
        preset.mode,
        preset.lane,
        preset.scopes,
    )


def test_layers_keep_their_order() -> None:
    policies = read_policies(
        '[policies.login.layers.account]\nlimit = "9/1h"\n[policies.login.layers.new]\nscope = "ip"\nlimit = "1/1s"'
    )
    names = [each.name for each in policies["login"].layers]
    assert names == [*(each.name for each in PRESETS["login"].layers), "new"]


def test_the_account_behind_follows_what_the_file_says_of_the_identifier() -> None:
    text = '[policies.login.layers.account]\nlimit = "9/1h"\n'
    assert layer(text, "authenticator").limit == Limit.parse("9/1h")
    assert layer(text, "authenticator").scopes == (Scope.AUTHENTICATOR,)
    assert layer(text, "ceiling-authenticator") == PRESETS["login"].layer("ceiling-authenticator")
    gone = read_policies("[policies.login.layers.account]\nremove = true\n")["login"]
    assert {"account", "authenticator"}.isdisjoint(each.name for each in gone.layers)
    text += '[policies.login.layers.authenticator]\nlimit = "8/1h"\n'
    assert layer(text, "authenticator").limit == Limit.parse("8/1h")


def test_a_distinct_layer_takes_a_new_limit() -> None:
    changed = layer('[policies.login.layers.accounts-an-address]\nlimit = "5/1h"', "accounts-an-address")
    assert changed.limit == Limit.parse("5/1h", Algorithm.DISTINCT)
    assert changed.distinct is Scope.ID


def test_a_distinct_layer_becomes_a_plain_one() -> None:
    text = '[policies.login.layers.accounts-an-address]\nalgorithm = "sliding-log"'
    changed = layer(text, "accounts-an-address")
    assert changed.limit == Limit.parse("3/1h")
    assert changed.distinct is None


def test_what_is_counted_implies_the_algorithm() -> None:
    text = '[policies.x.layers.y]\nscope = "ip"\ndistinct = "id"\nlimit = "3/1h"'
    made = layer(text, "y", "x")
    assert made.limit.algorithm is Algorithm.DISTINCT
    with pytest.raises(ConfigurationError, match=r'distinct in .* belongs to algorithm = "distinct", not to gcra'):
        read_policies(text + '\nalgorithm = "gcra"')


def test_failures_become_attempts_in_a_bucket() -> None:
    text = '[policies.login.layers.address]\nalgorithm = "token-bucket"\ncounts = "attempts"\nburst = 5'
    changed = layer(text, "address")
    assert changed.limit == Limit.parse("20/15m", Algorithm.TOKEN_BUCKET, 5)
    assert changed.counts is Counts.ATTEMPTS


def test_a_burst_set_apart_outlives_a_new_limit() -> None:
    one = Limit.parse("60/1m", Algorithm.GCRA, 20)
    bases = {"apart": one, "alike": Limit.parse("60/1m", Algorithm.GCRA)}
    changed = {}
    for name, limit in bases.items():
        table = Table({"limit": "90/1m"}, "f", ("layers", name))
        made = read_layer(table, name, Layer(name, (Scope.IP,), limit))
        assert made is not None
        changed[name] = made.limit.burst
    assert changed == {"apart": 20, "alike": 90}


def test_a_backoff_is_made_of_gaps() -> None:
    text = '[policies.x.layers.y]\nscope = "id"\nalgorithm = "backoff"\ngaps = ["0s", "60s", "300s", "24h"]'
    gaps = tuple(seconds * 1_000_000 for seconds in (0, 60, 300, 86_400))
    assert layer(text, "y", "x").limit == Limit.backoff(*gaps)


def test_a_whole_new_policy() -> None:
    policy = read_policies('[policies.search.layers.user]\nscope = "user"\nlimit = "60/1m"\nmode = "shadow"')["search"]
    assert policy.layer("user") == Layer("user", (Scope.USER,), Limit.parse("60/1m"), mode=Mode.SHADOW)


def test_shares_must_agree_across_policies() -> None:
    text = "".join(
        f'[policies.{name}.layers.mail]\nscope = "destination"\nlimit = "{limit}"\nshare = "mail"\n'
        for name, limit in (("a", "5/24h"), ("b", "6/24h"))
    )
    with pytest.raises(ConfigurationError, match=r"AG102: \[policies\.b\.layers\.mail\] share \"mail\" is one counter"):
        read_policies(text)
    assert read_policies(text.replace("6/24h", "5/24h")).keys() > {"a", "b"}


def test_one_share_can_not_stand_twice_in_one_policy() -> None:
    text = "".join(f'[policies.a.layers.{name}]\nscope = "ip"\nlimit = "5/24h"\nshare = "s"\n' for name in "xy")
    with pytest.raises(ConfigurationError, match=r"layers in \[policies\.a\] must not have two layers of one share"):
        read_policies(text)


def test_the_presets_are_left_alone() -> None:
    before = dict(PRESETS)
    merge_settings(parse_text('[policies.login.layers.account]\nlimit = "9/1h"', "f"), "f")
    assert dict(PRESETS) == before
    assert PRESETS["login"].layer("account").limit == Limit.parse("5/15m")
