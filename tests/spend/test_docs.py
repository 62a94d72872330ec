"""The page on spending: its examples run, and its table says what the code does."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from authguard.errors import ConfigurationError
from authguard.policy.settings import merge_settings
from authguard.policy.toml import parse_text
from authguard.spend import CHANNELS, Breaker, Kind, Reason, read_channels, table
from tests.repository.tree import ROOT

PAGE = (ROOT / "docs/spend.md").read_text()


def blocks(language: str) -> list[str]:
    """Return the page's code blocks in ``language``."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_python_runs_from_top_to_bottom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTHGUARD_STORE", "memory://")
    examples = blocks("python")
    assert len(examples) == 5
    names: dict[str, object] = {}
    for example in examples:
        exec(compile(example, "spend.md", "exec"), names)  # noqa: S102 - our own page
    client = names["app"].test_client()  # type: ignore[attr-defined]
    assert client.get("/reachable/+447400000009").text == "yes"


@pytest.mark.parametrize("text", blocks("toml"))
def test_an_example_loads(text: str) -> None:
    assert read_channels(merge_settings(parse_text(text, "f"), "f").spend).keys() > CHANNELS.keys()
    with pytest.raises(ConfigurationError):
        read_channels(merge_settings(parse_text(text + "\nsurprise = 1\n", "f"), "f").spend)


def test_every_key_is_told() -> None:
    rows = re.findall(r"^\| (`.*?) \| (.*?) \|", PAGE, re.MULTILINE)
    told = {key for cell, _ in rows for key in re.findall(r"`(\w+)`", cell)}
    steps = {"reserve", "dispatch", "commit", "release"}
    assert told - steps == set(table.KEYS.split(", "))
    (of_the_breaker,) = [text for cell, text in rows if cell == "`breaker`"]
    assert re.findall(r"`(\w+)`", of_the_breaker) == table.BREAKER_KEYS.split(", ")
    assert {field.name for field in fields(Breaker)} == set(table.BREAKER_KEYS.split(", ")) - {"off"}
    (kinds,) = [text for cell, text in rows if cell == "`kind`"]
    assert set(re.findall(r"`(\w+)`", kinds)) == {*map(str, Kind)}


def test_the_reason_in_the_example_is_one() -> None:
    assert f'denied.reason == "{Reason.LOST}"' in PAGE
