"""Machine: on what a measurement was made, how busy it was meanwhile, and which versions took part."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = (
    "authguard", "flask", "redis", "hiredis", "limits", "flask-limiter", "throttled-py", "pyrate-limiter",
)  # fmt: skip


def describe(loads: Sequence[float]) -> list[tuple[str, str]]:
    """Return what a reader must know to judge the figures; ``loads`` are load averages taken while they were made."""
    return [
        ("processor", f"{_processor()}, {os.cpu_count()} cores"),
        ("load while measuring", f"{min(loads):.1f} to {max(loads):.1f} runnable processes"),
        ("system", f"{platform.system()} {platform.release()}"),
        ("Python", f"{platform.python_implementation()} {platform.python_version()}"),
        ("SQLite", sqlite3.sqlite_version),
        ("Redis", _redis()),
        ("packages", ", ".join(f"{name} {_version(name)}" for name in PACKAGES)),
    ]


def load() -> float:
    """Return how many processes wanted to run, on average over the last minute."""
    return os.getloadavg()[0]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _redis() -> str:
    command = ["redis-server", "--version"]  # from PATH, as the tests start it
    words = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()
    return next(word.removeprefix("v=") for word in words if word.startswith("v="))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
