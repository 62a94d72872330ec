"""What an import costs: the library's core loads no framework, no client and no heavy package."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.repository.tree import ROOT

HEAVY = {"argon2", "cryptography", "email_validator", "flask", "phonenumbers", "redis", "werkzeug"}
# These rooms are made for a framework, a test runner or a terminal, and may load what those need.
OUTER = {"authguard.flask", "authguard.cli", "authguard.testing"}
MILLISECONDS = 60

ROOMS = sorted(
    f"authguard.{path.stem}"
    for path in (ROOT / "authguard").iterdir()
    if (path.suffix == ".py" or (path / "__init__.py").exists()) and path.stem != "__init__"
)


def run(code: str) -> str:
    """Run ``code`` in a fresh interpreter that treats warnings as errors, and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return done.stdout


def loaded(module: str) -> set[str]:
    """Return the heavy packages that importing ``module`` loads."""
    return HEAVY & set(run(f"import sys, {module}; print(*sys.modules)").split())


def test_the_package_is_light() -> None:
    assert loaded("authguard") == set()


@pytest.mark.parametrize("room", [room for room in ROOMS if room not in OUTER])
def test_every_core_room_is_light(room: str) -> None:
    assert loaded(room) == set()


@pytest.mark.serial
def test_the_package_is_quick() -> None:
    code = "import time; start = time.perf_counter(); import authguard; print(time.perf_counter() - start)"
    assert min(float(run(code)) for _ in range(5)) * 1000 < MILLISECONDS
