"""The server: started as a person starts it, with several workers, and stopped by a signal."""

from __future__ import annotations

import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.repository.tree import ROOT

DEADLINE = 30
"""Seconds."""


@contextmanager
def started(tmp_path: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start the demo on a free port and yield it with the first line it prints."""
    command = [sys.executable, "-m", "demo_app", "--port", "0", "--instance", str(tmp_path / "instance"), *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            ready, _, _ = select.select([process.stdout], [], [], DEADLINE)
            yield process, process.stdout.readline() if ready else ""
        finally:
            process.kill()


def test_it_prints_its_url_serves_and_ends_cleanly(tmp_path: Path) -> None:
    with started(tmp_path, "--workers", "2") as (process, line):
        url = line.rpartition(" ")[2].strip()
        assert line.startswith("Lantern is open at http://127.0.0.1:")
        document = httpx.get(url, headers={"Accept": "application/json"}).json()
        assert document["accounts"][0]["name"] == "alice"
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=DEADLINE)
        assert (process.returncode, output, errors) == (0, "", "")


def test_it_says_what_is_off(tmp_path: Path) -> None:
    with started(tmp_path, "--without", "joining", "--without", "spelling") as (process, line):
        url = line.rpartition(" ")[2].strip()
        assert "Without: joining, spelling." in httpx.get(url).text
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=DEADLINE)
        assert [text.partition(":")[0] for text in errors.splitlines()] == ["WITHOUT joining", "WITHOUT spelling"]


def test_a_wrong_configuration_ends_it_with_a_sentence(tmp_path: Path) -> None:
    config = tmp_path / "policies.toml"
    config.write_text("[policies.login.layers.account]\nlimit = 'a few'\n")
    with started(tmp_path, "--config", str(config)) as (process, line):
        _, errors = process.communicate(timeout=DEADLINE)
        assert (process.returncode, line) == (2, "")
        assert len(errors.splitlines()) == 1
        assert str(config) in errors


def test_a_restart_keeps_sessions_and_accounts(tmp_path: Path) -> None:
    secrets = []
    for _ in range(2):
        with started(tmp_path, "--workers", "1") as (process, line):
            assert line
            secrets.append((tmp_path / "instance" / "secret_key").read_bytes())
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=DEADLINE)
    assert secrets[0] == secrets[1]
    assert (tmp_path / "instance" / "secret_key").stat().st_mode & 0o077 == 0
