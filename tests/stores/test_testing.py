"""The testing room from outside: the examples of its page run, and the contract catches a store that breaks it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.repository.tree import ROOT

FEW_HISTORIES = """
from hypothesis import settings
settings.register_profile("few", max_examples=5, deadline=None)
settings.load_profile("few")
"""
BROKEN = """
import pytest
from authguard.stores.memory import MemoryStore
from authguard.testing import ManualClock, StoreUnderTest
from authguard.testing.contract import StoreContract

class Forgetful(MemoryStore):
    def settle(self, receipt, outcome):
        super().settle(receipt, outcome)
        return True

class TestForgetful(StoreContract):
    @pytest.fixture
    def tested(self):
        clock = ManualClock()
        store = Forgetful(clock)
        return StoreUnderTest(store, clock.advance, lambda: repr(list(store._shelf.logs.items())))
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run pytest on ``folder``, with the project's own warnings as errors."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", *words],
        cwd=folder,
        env={"PYTHONPATH": f"{ROOT}:{folder}", "PATH": "/usr/bin:/bin"},
        check=False,
        capture_output=True,
        text=True,
    )


def test_the_examples_of_the_page_pass(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n# (\S+)\n(.*?)```", (ROOT / "docs/testing.md").read_text(), re.DOTALL)
    for name, code in blocks:
        (tmp_path / name).write_text(code)
    with (tmp_path / "conftest.py").open("a") as conftest:
        conftest.write(FEW_HISTORIES)
    done = run(tmp_path)
    assert done.returncode == 0, done.stdout
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) > 100


def test_every_example_of_the_page_has_a_name() -> None:
    page = (ROOT / "docs/testing.md").read_text()
    assert page.count("```python\n") == len(re.findall(r"```python\n# \S+\.py\n", page)) > 0


def test_a_store_that_breaks_the_contract_is_told_where(tmp_path: Path) -> None:
    (tmp_path / "test_forgetful.py").write_text(BROKEN)
    done = run(tmp_path, "-p", "authguard.testing.plugin", "-k", "settles_once")
    assert done.returncode == 1
    assert "test_a_receipt_settles_once" in done.stdout
    assert "assert True is False" in done.stdout, "the suite's asserts say what they compared"


def test_the_files_fixture_is_a_store_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "test_fixture.py").write_text(
        "from authguard.testing.plans import attempts, spend\n"
        "def test(authguard_sqlite_store, authguard_clock, tmp_path):\n"
        "    spend(authguard_sqlite_store, attempts(), 1)\n"
        "    assert (tmp_path / 'authguard.db').exists()\n"
        "    assert authguard_sqlite_store.now() == authguard_clock.now()\n"
    )
    assert run(tmp_path, "-p", "authguard.testing.plugin").returncode == 0
