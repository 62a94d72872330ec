"""``authguard check`` says what is wrong and ends with the exit code it documents."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from authguard import __version__
from authguard.cli.main import main
from authguard.policy import PRESETS
from tests.policy.sample import SAMPLE
from tests.repository.tree import ROOT


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(*arguments: str) -> int:
    """Run the command and return its exit code."""
    return main(["check", *arguments])


def test_the_shipped_policies_are_fine(capsys: pytest.CaptureFixture[str]) -> None:
    assert check() == 0
    assert capsys.readouterr() == (f"shipped policies: {len(PRESETS)} policies, 0 errors, 0 warnings\n", "")


def test_the_file_of_the_current_folder_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    Path("authguard.toml").write_text('[policies.login]\nfail_mode = "open"\n')
    assert check() == 1
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0].startswith('warning AG109: [policies.login] fail_mode is "open";')
    assert lines[1] == f"authguard.toml: {len(PRESETS)} policies, 0 errors, 1 warnings"


def test_errors_are_all_told(capsys: pytest.CaptureFixture[str]) -> None:
    layers = '[policies.{0}.layers.x]\nscope = "ip"\nlimit = "20000/1m"\n'
    Path("my.toml").write_text(layers.format("a") + layers.format("b"))
    assert check("my.toml") == 2
    out = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in out[:2]] == ["error AG108", "error AG108"]
    assert out[-1] == f"my.toml: {len(PRESETS) + 2} policies, 2 errors, 2 warnings"


def test_a_file_that_can_not_be_used_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert check("nowhere.toml") == 2
    assert capsys.readouterr() == ("", "nowhere.toml: the file can't be read: No such file or directory\n")
    Path("my.toml").write_text("[policies.login]\nhodl = 1\n")
    assert check("my.toml") == 2
    assert capsys.readouterr().err.startswith("my.toml: hodl in [policies.login] is not known;")


def test_a_wrong_command_line_is_no_finding(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["chekc"], ["check", "a", "b"]):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2
    assert "usage: authguard" in capsys.readouterr().err


def test_it_runs_as_a_program(tmp_path: Path) -> None:
    path = tmp_path / "sample.toml"
    path.write_text(SAMPLE)
    command = [sys.executable, "-W", "error", "-m", "authguard.cli"]
    done = subprocess.run([*command, "check", path], cwd=ROOT, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    said = subprocess.run([*command, "--version"], cwd=ROOT, check=True, capture_output=True, text=True)
    assert said.stdout == f"authguard {__version__}\n"


def test_a_table_on_codes_is_read_too(capsys: pytest.CaptureFixture[str]) -> None:
    Path("authguard.toml").write_text('[codes]\nttl = "2h"\n')
    assert check() == 2
    assert "codes.ttl" in capsys.readouterr().err
