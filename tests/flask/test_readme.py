"""The README's example runs as it stands there: copied into a file, imported, and asked over HTTP."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from flask import Flask

from tests.repository.tree import ROOT
from tests.servers.ports import free_port

README = (ROOT / "README.md").read_text()
PASSWORD = "correct horse battery staple"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (example,) = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    file = tmp_path / "app.py"
    file.write_text(example)
    monkeypatch.setenv("FLASK_SECRET_KEY", "k" * 40)
    spec = importlib.util.spec_from_file_location("readme_example", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "readme_example", module)
    spec.loader.exec_module(module)
    return module


def log_in(app: Flask, password: str) -> int:
    return app.test_client().post("/login", data={"email": "ann@example.com", "password": password}).status_code


def test_the_example_stops_the_sixth_guess(shop: ModuleType) -> None:
    assert [log_in(shop.app, f"guess{number}") for number in range(6)] == [401] * 5 + [429]


def test_the_commands_print_what_is_said_of_them(tmp_path: Path) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    (commands,) = re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    (tmp_path / "app.py").write_text(example)
    port = str(free_port())
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", "trap 'kill $(jobs -p) 2>/dev/null' EXIT\n" + commands.replace(":5000/", f":{port}/")],
        cwd=tmp_path,
        env={"PATH": path, "PYTHONPATH": str(ROOT), "FLASK_RUN_PORT": port},
        check=False,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert re.findall(r"^[0-9]{3}$", done.stdout, re.MULTILINE) == ["401"] * 5 + ["429"], done.stderr


def test_the_example_lets_the_owner_in(shop: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with shop.app.app_context():
        owner = SimpleNamespace(id="7", password_hash=shop.guard.passwords.hash(PASSWORD))
    monkeypatch.setattr(shop, "find_user", {"ann@example.com": owner}.get)
    assert [log_in(shop.app, each) for each in ("wrong", PASSWORD, *(PASSWORD,) * 6)] == [401] + [302] * 7


def test_the_example_counts_in_the_instance_folder(shop: ModuleType, tmp_path: Path) -> None:
    log_in(shop.app, "guess")
    assert (tmp_path / "instance" / "authguard.sqlite3").is_file()
