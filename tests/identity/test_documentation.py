"""The page about identity: its examples run, and its numbers are the table's."""

from __future__ import annotations

import doctest
from pathlib import Path

from authguard.identity.mail_providers import PROVIDERS
from authguard.identity.topologies import PRESETS

PAGE = Path(__file__).parent.parent.parent / "docs" / "identity.md"


def test_the_examples_run() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.attempted > 20
    assert result.failed == 0


def test_every_preset_is_explained() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"| `{preset}` |" in text for preset in PRESETS)


def test_every_provider_is_listed_with_its_size() -> None:
    table = {
        line.split("|")[1].strip(): line for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:2] == "| "
    }
    sizes = {rule.name: len(rule.domains) for rule in PROVIDERS}
    assert set(sizes) <= set(table)
    assert f"({sizes['Microsoft']})" in table["Microsoft"]
    assert f"({sizes['Yahoo']})" in table["Yahoo"]
    assert f"and {sizes['Fastmail'] - 1} more" in table["Fastmail"]
