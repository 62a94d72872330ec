"""The page on policies: its examples run, and its tables say what the code does."""

from __future__ import annotations

import re

import pytest

from authguard.errors import ConfigurationError
from authguard.limits import Algorithm
from authguard.limits.limit import Limit
from authguard.policy import PRESETS, Lane, Layer, Scope, check_policies, layer_table, policy_table
from authguard.policy.settings import merge_settings
from authguard.policy.toml import parse_text
from tests.repository.tree import ROOT

PAGE = (ROOT / "docs/policies.md").read_text()
SECTIONS = {
    heading.strip(): text
    for heading, text in re.findall(r"^#{2,3} (.*)\n((?:(?!^#{2,3} )[^\n]*\n)+)", PAGE, re.MULTILINE)
}


def blocks(language: str) -> list[str]:
    """Return the page's code blocks in ``language``."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def rows(section: str) -> list[list[str]]:
    """Return the cells of the rows in the tables of a section."""
    lines = [line for line in SECTIONS[section].splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize("text", blocks("toml"))
def test_an_example_loads_and_is_above_doubt(text: str) -> None:
    settings = merge_settings(parse_text(text, "f"), "f")
    assert check_policies(settings.policies) == ()
    with pytest.raises(ConfigurationError):
        merge_settings(parse_text(text + "\nsurprise = 1\n", "f"), "f")


@pytest.mark.parametrize("code", blocks("python"))
def test_the_python_runs(code: str) -> None:
    exec(compile(code, "policies.md", "exec"), {})  # noqa: S102 - our own page


def test_the_message_is_the_one_printed() -> None:
    (printed,) = blocks("text")
    with pytest.raises(ConfigurationError) as caught:
        merge_settings(parse_text("policies.login.layers.account.limit = '5 an hour'", "f"), "authguard.toml")
    assert str(caught.value) == printed.strip()


def described(layer: Layer) -> list[str]:
    """Return a layer as its row says it."""
    scopes = ", ".join(f"`{scope}`" for scope in layer.scopes)
    return [f"`{layer.name}`", scopes, layer.counts, layer.lane, str(layer.limit), layer.mode]


def spelled(limit: str) -> str:
    """Return a limit in the one spelling that the library has for it."""
    return limit if limit.startswith("backoff ") else str(Limit.parse(limit))


@pytest.mark.parametrize(
    ("section", "name"),
    [
        ("login", "login"),
        ("signup", "signup"),
        ("signup-confirm", "signup-confirm"),
        ("otp-send and password-reset", "otp-send"),
        ("otp-send and password-reset", "password-reset"),
        ("message", "message"),
        ("otp-verify", "otp-verify"),
        ("second-factor", "second-factor"),
    ],
)
def test_the_numbers_are_the_shipped_ones(section: str, name: str) -> None:
    told = [[*cells[:4], spelled(cells[4]), cells[5]] for cells in rows(section)]
    assert told == [described(layer) for layer in PRESETS[name].layers]
    assert re.search(rf"\bFails? `{PRESETS[name].fail_mode}`", SECTIONS[section])


def test_every_word_and_key_is_told() -> None:
    words = {cells[0].split("`")[1] for cells in rows("Words")}
    assert words == {*map(str, Scope), *map(str, Algorithm), *map(str, Lane)}
    for section, keys in (
        ("`[policies.NAME]`", policy_table.KEYS),
        ("`[policies.NAME.layers.LAYER]`", layer_table.KEYS),
    ):
        assert [cells[0].strip("`") for cells in rows(section)] == keys.split(", ")
