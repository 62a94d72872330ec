"""The README's example runs as it stands there: copied into a file, imported, and asked over HTTP."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from flask import Flask

from tests.repository.tree import ROOT

PASSWORD = "correct horse battery staple"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (example,) = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
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


def test_the_example_lets_the_owner_in(shop: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with shop.app.app_context():
        owner = SimpleNamespace(id="7", password_hash=shop.guard.passwords.hash(PASSWORD))
    monkeypatch.setattr(shop, "find_user", {"ann@example.com": owner}.get)
    assert [log_in(shop.app, each) for each in ("wrong", PASSWORD, *(PASSWORD,) * 6)] == [401] + [302] * 7


def test_the_example_counts_in_the_instance_folder(shop: ModuleType, tmp_path: Path) -> None:
    log_in(shop.app, "guess")
    assert (tmp_path / "instance" / "authguard.sqlite3").is_file()
