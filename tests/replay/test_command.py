"""``authguard replay``: what it prints, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from authguard.cli.main import main

HEAD = "datetime,source_ip,username,success\n"
LOGINS = HEAD + "".join(f"2024-01-01 12:00:0{n},192.0.2.1,user{n},{n > 3}\n" for n in range(6))
WINDOWS = "start,end,source_ip\n2024-01-01 12:00:00,2024-01-01 12:00:03,192.0.2.1\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "logins.csv"
    path.write_text(LOGINS)
    return path


def test_it_prints_what_became_of_people(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(log)]) == 0
    printed = capsys.readouterr().out
    assert "people: 6 tries of 6 people; 4 challenged (4 people), 0 denied (0 people)" in printed
    assert "| accounts-an-address-at-once |      0 |      4 |" in printed
    assert "attack:" not in printed


def test_it_tells_attacks_apart_as_json(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    windows = tmp_path / "attacks.csv"
    windows.write_text(WINDOWS)
    assert main(["replay", str(log), "--attacks", str(windows), "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out).values()
    assert report["attack"] | {"accounts": 5} == {
        "tries": 5,
        "passed": 2,
        "successes": 0,
        "challenged": 3,
        "denied": 0,
        "accounts": 5,
        "challenged_accounts": 3,
        "denied_accounts": 0,
    }
    assert report["people"]["challenged"] == 1


def test_it_compares(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(log), "--compare", "--no-devices"]) == 0
    names = [line.split("|")[1].strip() for line in capsys.readouterr().out.splitlines()[2:]]
    assert names[0] == "none"
    assert names[-1] == "login"
    assert len(names) == 6


def test_a_file_of_one_s_own_changes_what_happens(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "own.toml"
    config.write_text('[policies.login.layers.accounts-an-address-at-once]\nlimit = "9/10m"\n')
    assert main(["replay", str(log), "--config", str(config)]) == 0
    assert "| accounts-an-address |      0 |      3 |" in capsys.readouterr().out


def test_lines_that_can_t_be_read_are_told(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.write_text(LOGINS + "gibberish\n")
    assert main(["replay", str(log)]) == 1
    assert capsys.readouterr().err == ("1 of the log's lines can't be read, such as entry 7: the time can't be read\n")


def test_a_variant_is_replayed_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--variant", "office"]) == 0
    assert "of 30 people; 0 challenged (0 people), 0 denied" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.csv"], "can't be read"),
        (["--variant", "none"], "there is no variant 'none'"),
        (["--variant", "office", "--policy", "none"], "there is no policy 'none'"),
    ],
)
def test_what_can_t_be_replayed_is_said_in_a_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", *arguments]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [[], ["a.csv", "--workers", "0"], ["a.csv", "--warm-up", "soon"], ["a.csv", "--success", "twice"]],
)
def test_a_wrong_command_line_ends_with_two(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["replay", *arguments])
    assert caught.value.code == 2
