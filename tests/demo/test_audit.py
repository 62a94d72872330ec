"""Audit: ``authguard spend show`` says of a real demo what its provider truly sent, workers killed and answers lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import httpx
import pytest

from attacks.provider import BROKEN, REFUSING, SILENT, WELL, run_provider
from tests.demo.test_server import started
from tests.repository.tree import ROOT

SECRET = "a secret for these tests only"


def show(folder: Path) -> dict[str, list[str]]:
    """Return the cells of the channel's rows, by cap."""
    places = {
        "AUTHGUARD_STORE": f"sqlite:///{folder}/instance/authguard.sqlite3",
        "AUTHGUARD_NAMESPACE": "demo_app.app",
    }
    command = [sys.executable, "-m", "authguard.cli", "spend", "show"]
    ran = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **places}, capture_output=True, text=True, timeout=60, check=True
    )
    rows = [line.split() for line in ran.stdout.splitlines()]
    return {row[1]: row[2:] for row in rows if row[0] == "sms"}


def text(url: str, number: str) -> None:
    """Ask for a code to ``number``."""
    with httpx.Client(base_url=url, headers={"Accept": "application/json"}, timeout=30) as client:
        password = "mallory has an account too"
        client.post("/login", json={"identifier": "mallory", "password": password})
        assert client.post("/account/contact", json={"contact": number, "password": password}).status_code == 200


def kill_workers(process: subprocess.Popen[str]) -> None:
    """Kill every worker of the demo."""
    for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
        os.kill(int(child), signal.SIGKILL)


@pytest.mark.timeout(120)
def test_the_books_say_what_the_provider_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTHGUARD_SECRET", SECRET)
    with (
        run_provider() as provider,
        started(tmp_path, "--workers", "1", "--sms-rate", "1/1s", "--provider", provider.url) as (process, line),
    ):
        url = line.rpartition(" ")[2].strip()
        for number, mood in enumerate((WELL, BROKEN, SILENT), start=1):
            provider.behave(mood)
            text(url, f"+44740{number}123456")
            assert len(provider.wait_for(number)) == number
        kill_workers(process)
        provider.behave(REFUSING)
        text(url, "+447404123456")
        refused = Event()
        assert any(provider.refused() or refused.wait(0.1) for _ in range(200))
        provider.behave(WELL)
        text(url, "+447405123456")
        # It waits for its turn still, and leaves before the demo ends.
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        assert len(provider.sent()) == 4
    assert show(tmp_path)["day"][1:3] == ["4", "0"], "the refused one is back, the others are spent"
