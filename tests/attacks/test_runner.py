"""The runner: what it says and how it ends when an attack is proven, and when it isn't."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import attacks.__main__ as command
from attacks import runner
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


@pytest.fixture
def no_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no Redis installed."""
    monkeypatch.setattr("attacks.servers.shutil.which", lambda name: None)


REDIS_ATTACK = Attack("Z1", "on a store", "joining", CRITERION, lambda target: 10, Setup(redis=()))


@pytest.mark.usefixtures("no_servers")
def test_without_the_server_an_attack_on_it_is_left_out_and_said_to_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, row = run(monkeypatch, tmp_path / "proofs.json", REDIS_ATTACK)
    assert (status, row["proven"]) == (0, False)
    assert (
        row["undefended"] == "needs redis-server, which is not installed; on Debian: sudo apt-get install redis-server"
    )
    printed = capsys.readouterr().out
    assert "LEFT OUT" in printed
    assert "Left out, because redis-server is not installed" in printed
    assert "All 0 attacks are proven both ways." in printed


@pytest.mark.usefixtures("no_servers")
def test_without_the_server_who_asked_for_all_attacks_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "ATTACKS", (REDIS_ATTACK,))
    assert command.main(["--store", "redis"]) == 1
    assert "Not proven: Z1" in capsys.readouterr().out


def test_a_demo_that_would_rather_not_start_is_defended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    setup = Setup(config="nonsense", refusal="TOML")
    attack = Attack("Z1", "refused", "joining", Criterion("guesses", wins=1, loses=(0, 0)), lambda target: 10, setup)
    _, row = run(monkeypatch, tmp_path / "proofs.json", attack)
    assert row["defended"].startswith("refused at start: ")
    other = Attack("Z1", "broken", "joining", attack.criterion, attack.run, Setup(config="nonsense", refusal="AG404"))
    _, row = run(monkeypatch, tmp_path / "proofs.json", other)
    assert row["defended"].startswith("not carried out: ")


def test_an_attack_may_have_a_redis(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    keys: list[int] = []

    def look(target: Target) -> int:
        target.client("203.0.113.9").login("nobody", "a guess")
        keys.append(target.server.ask("DBSIZE"))
        return 10

    run(monkeypatch, tmp_path / "proofs.json", Attack("Z1", "a look", "spelling", CRITERION, look, Setup(redis=())))
    assert len(keys) == 2
    assert min(keys) > 0


def test_the_list_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--list", "--only", "n1", "x6"]) == 0
    printed = capsys.readouterr().out
    assert "N1 fifty spellings" in printed
    assert "X4" not in printed


@pytest.mark.parametrize(
    ("without", "within", "proven", "runs"),
    [
        ([250], [5], True, 2),
        ([8, None, 250], [5], True, 4),
        ([8, 8, 8], [5], False, 4),
        ([250], [None, 0, 5], True, 4),
        ([250], [6, 5], False, 2),
        ([250], [None, None, None], False, 4),
    ],
    ids=["at once", "the attacker tries again", "luck three times", "shown at last", "broken once", "never shown"],
)
def test_an_attacker_may_try_again_and_a_defense_must_hold_every_time(
    monkeypatch: pytest.MonkeyPatch, without: list[int | None], within: list[int | None], proven: bool, runs: int
) -> None:
    counts = {True: iter(without), False: iter(within)}
    ran: list[str | None] = []

    def carry_out(attack: Attack, without: str | None, store: str | None) -> Side:
        ran.append(without)
        return Side(next(counts[without is not None]), "")

    monkeypatch.setattr(runner, "_carry_out", carry_out)
    attack = Attack("Z9", "nothing", "none", Criterion("guesses", wins=200, loses=(1, 5)), lambda target: 0)
    assert runner.prove(attack, None, lambda text: None).proven is proven
    assert len(ran) == runs
