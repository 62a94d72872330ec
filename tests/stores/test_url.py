"""Store URLs: a wrong one, or a missing driver, stops the start with one sentence, which repeats no password."""

from __future__ import annotations

import subprocess
import sys

import pytest

from authguard.errors import ConfigurationError
from authguard.stores import open_store


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("redis://:pass-word@[::1/0", "brackets"),
        ("memory://somewhere", "whole URL"),
        ("memory", "memory://"),
        ("", "memory://"),
        ("mysql://localhost", "mysql"),
        ("redis://:pass-word@localhost:port/0", "port"),
        ("redis://localhost/zero", "database"),
        ("sqlite://relative", "sqlite:///"),
    ],
)
def test_a_wrong_url_is_one_sentence(url: str, sentence: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        open_store(url)
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "pass-word" not in str(raised.value)


@pytest.mark.parametrize(
    ("missing", "package", "url"),
    [
        ("redis", "redis", "redis://:pass-word@localhost/0"),
        ("redis", "redis", "unix:///run/redis.sock"),
        ("_sqlite3", "sqlite3", "sqlite:///store.db"),
    ],
)
def test_a_missing_driver_is_one_sentence(missing: str, package: str, url: str) -> None:
    # What an import finds where the driver is not installed; in a process of its own, because this one has it.
    story = (
        "import sys; sys.modules[sys.argv[1]] = None; from authguard.stores import open_store; open_store(sys.argv[2])"
    )
    failed = subprocess.run([sys.executable, "-c", story, missing, url], capture_output=True, text=True, check=False)
    scheme = url.partition(":")[0]
    assert failed.stderr.splitlines()[-1] == (
        f"authguard.errors.ConfigurationError: {scheme}:// needs the Python package {package}; "
        "install it, or name another store"
    )
    assert "pass-word" not in failed.stderr
