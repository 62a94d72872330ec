"""Made-up traffic: the same every time, and what becomes of it is what the page tells."""

from __future__ import annotations

import re

import pytest

from authguard.login.replay.conditions import Conditions, KnownDevices
from authguard.login.replay.record import Origin
from authguard.login.replay.report import HEADINGS, table
from authguard.login.replay.run import replay
from authguard.login.replay.variants.catalogue import HOSTILE, LEGITIMATE, VARIANTS, WARM_UP
from authguard.login.replay.variants.variant import Variant
from authguard.login.replay.yardsticks import YARDSTICKS
from authguard.policy import PRESETS
from tests.replay.month import report
from tests.repository.tree import ROOT

PAGE = (ROOT / "docs/replay.md").read_text()
LOGIN = PRESETS["login"]

# Tracing doubles what so many logins cost; the other files here cover the same code.
pytestmark = pytest.mark.untraced


def tables(heading: str) -> dict[str, list[str]]:
    """Return the rows of the tables under a heading of the page, by the name in the first cell."""
    section = re.split(rf"^## {heading}$", PAGE, flags=re.MULTILINE)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].strip("`"): row[1:] for row in rows}


def test_the_page_tells_the_month() -> None:
    told = tables("A recorded month")
    for name in (*dict(YARDSTICKS), "login"):
        assert told[name] == list(report(name).row("")[1:])


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_the_page_tells_the_variant(variant: Variant) -> None:
    found = replay(LOGIN, variant.records(), Conditions(warm_up=WARM_UP))
    assert list(found.row("")[1:]) == tables("Made-up traffic")[variant.name][1:]
    assert found.people.denied == 0


@pytest.mark.parametrize("variant", LEGITIMATE, ids=lambda variant: variant.name)
def test_without_devices_people_are_challenged_and_none_is_denied(variant: Variant) -> None:
    found = replay(LOGIN, variant.records(), Conditions(KnownDevices.NONE, warm_up=WARM_UP))
    told = tables("Without known devices")[variant.name]
    assert [f"{len(found.people.accounts)}", f"{len(found.people.challenged_accounts)}"] == told
    assert found.people.denied == 0


@pytest.mark.parametrize("seed", [1, 2])
def test_other_dice_roll_much_the_same(seed: int) -> None:
    by_name = {variant.name: variant for variant in VARIANTS}
    for name in ("office", "stale-phone"):
        found = replay(LOGIN, by_name[name].records(seed), Conditions(warm_up=WARM_UP))
        assert found.people.denied == 0
        assert len(found.people.challenged_accounts) <= 1
    found = replay(LOGIN, by_name["botnet-3"].records(seed), Conditions(warm_up=WARM_UP))
    assert found.attack.passed < found.attack.tries / 4


def test_a_variant_is_the_same_every_time_and_another_with_other_dice() -> None:
    for variant in (LEGITIMATE[0], HOSTILE[0]):
        assert variant.records() == variant.records()
        assert variant.records() != variant.records(1)


def test_attacks_come_when_the_week_of_acquaintance_is_over() -> None:
    for variant in HOSTILE:
        records = variant.records()
        first = min(record.at for record in records if record.origin is Origin.ATTACK)
        assert first >= records[0].at + WARM_UP


def test_decoys_are_neither_tries_nor_people() -> None:
    (diluted,) = (variant for variant in HOSTILE if variant.name == "diluted")
    records = diluted.records()
    found = replay(LOGIN, records)
    assert sum(record.origin is Origin.DECOY for record in records) == 720
    assert found.attack.tries == 1_450
    assert not any(name.startswith("decoy") for name in found.people.accounts)


def test_a_table_is_aligned() -> None:
    lines = table(HEADINGS[:3], [("one", "1", "10,000"), ("a longer one", "20", "3")])
    assert lines == [
        "|              | tries | passed |",
        "|:-------------|------:|-------:|",
        "| one          |     1 | 10,000 |",
        "| a longer one |    20 |      3 |",
    ]
