"""``authguard policy odds`` says what guessing gets, and ends with the exit code it documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from authguard.cli.main import main


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_shipped_codes_are_fine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policy", "odds"]) == 0
    rows = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()}
    assert rows["otp-verify"] == ["20", "7,300", "6", "0.73%", "7,273"]
    assert rows["second-factor"] == ["20", "100", "6", "0.03%", "300"]
    assert rows["login"][2:] == ["-", "-", "-"]
    assert "otp-send" not in rows


def test_long_odds_are_an_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    layers = '[policies.otp-verify.layers.account]\nlimit = "20/1h"\n[policies.otp-verify.layers.authenticator]\n'
    Path("authguard.toml").write_text(layers + 'limit = "20/1h"\n')
    assert main(["policy", "odds"]) == 1
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("otp-verify ")]
    assert row.split()[1:] == ["480", "175,200", "6", "16.07%", "160,711"]
    Path("longer.toml").write_text(Path("authguard.toml").read_text() + "[policies.otp-verify]\ndigits = 8\n")
    assert main(["policy", "odds", "longer.toml"]) == 0


def test_what_has_no_limit_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    Path("own.toml").write_text('[policies.pin]\ndigits = 6\n[policies.pin.layers.ip]\nscope = "ip"\nlimit = "5/15m"\n')
    assert main(["policy", "odds", "own.toml"]) == 1
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("pin ")]
    assert row.split()[1:] == ["no", "limit", "no", "limit", "6", "100.00%", "1,000,000"]


def test_a_file_that_cannot_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    Path("wrong.toml").write_text("[policies.otp-verify]\ndigits = 4\n")
    assert main(["policy", "odds", "wrong.toml"]) == 2
    assert "digits" in capsys.readouterr().err
