"""The runner: what it says and how it ends when an attack is proven, and when it isn't."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import attacks.__main__ as command
from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.report import document, judge
from attacks.runner import Proof, Side
from attacks.target import Setup, Target

CRITERION = Criterion("guesses", wins=10, loses=(1, 5))


def proof(without: int | None, within: int | None) -> Proof:
    """Return the proof of an attack that counted this much on each side."""
    attack = Attack("Z1", "made up", "joining", CRITERION, lambda target: 0)
    return Proof(attack, Side(without, f"{without} guesses"), Side(within, f"{within} guesses"), 1.0)


@pytest.mark.parametrize(
    ("without", "within", "verdict"),
    [
        (10, 5, "proven"),
        (250, 1, "proven"),
        (9, 5, "BROKEN PROOF: wins from 10"),
        (10, 6, "NOT DEFENDED: loses at 1 to 5"),
        (10, 0, "NOT DEFENDED: loses at 1 to 5"),
        (None, 5, "NOT CARRIED OUT"),
        (10, None, "NOT CARRIED OUT"),
    ],
)
def test_only_both_directions_prove(without: int | None, within: int | None, verdict: str) -> None:
    found = proof(without, within)
    assert str(judge(found)) == verdict
    assert found.proven is (verdict == "proven")
    assert document([found])["attacks"][0]["proven"] is found.proven


def run(monkeypatch: pytest.MonkeyPatch, path: Path, attack: Attack) -> tuple[int, dict[str, Any]]:
    """Run ``attack`` alone from the command line; return the exit status and its row."""
    monkeypatch.setattr(command, "ATTACKS", (attack,))
    status = command.main(["--only", attack.name, "--json", str(path)])
    rows: list[dict[str, Any]] = json.loads(path.read_text())["attacks"]
    assert len(rows) == 1
    return status, rows[0]


def test_an_attack_that_is_proven_ends_well(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from attacks.n6_blank import BLANK

    status, row = run(monkeypatch, tmp_path / "proofs.json", BLANK)
    assert status == 0
    assert row == {
        "name": "N6",
        "defense": "blank-check",
        "undefended": "2 people locked out",
        "defended": "0 people locked out",
        "proven": True,
    }
    assert "All 1 attacks are proven both ways." in capsys.readouterr().out


def test_an_attack_that_wins_against_the_defense_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, row = run(
        monkeypatch, tmp_path / "proofs.json", Attack("Z1", "wins always", "joining", CRITERION, lambda target: 10)
    )
    assert (status, row["proven"], row["defended"]) == (1, False, "10 guesses")
    assert "Not proven: Z1" in capsys.readouterr().out


def test_an_attack_that_can_not_be_carried_out_fails_the_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def run_into_a_wall(target: Target) -> int:
        raise Broken("a wall")

    status, row = run(
        monkeypatch, tmp_path / "proofs.json", Attack("Z1", "a wall", "joining", CRITERION, run_into_a_wall)
    )
    assert (status, row["undefended"]) == (1, "not carried out: a wall")


def test_a_demo_that_does_not_start_is_said_in_a_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    attack = Attack("Z1", "no demo", "joining", CRITERION, lambda target: 10, Setup(config="nonsense"))
    status, row = run(monkeypatch, tmp_path / "proofs.json", attack)
    assert (status, row["proven"]) == (1, False)
    assert row["defended"].startswith("not carried out: the demo did not start: demo_app: ")
    assert "\n" not in row["defended"]


def test_the_list_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--list", "--only", "n1", "x6"]) == 0
    printed = capsys.readouterr().out
    assert "N1 fifty spellings" in printed
    assert "X4" not in printed
