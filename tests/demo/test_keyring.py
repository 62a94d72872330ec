"""The secrets of the demo: one before the current one is read, and none before that."""

from __future__ import annotations

from pathlib import Path

from demo_app.app import create_app
from demo_app.keyring import read_secrets, rotate_secret
from demo_app.options import Options


def test_a_rotation_puts_a_new_secret_first_and_retires_the_last_but_one(tmp_path: Path) -> None:
    first = read_secrets(tmp_path)
    rotate_secret(tmp_path)
    second = read_secrets(tmp_path)
    rotate_secret(tmp_path)
    third, *earlier = read_secrets(tmp_path)
    assert second[1:] == first
    assert third not in second
    assert earlier == second
    app = create_app(Options(tmp_path))
    assert app.config["SECRET_KEY"] == third
    assert app.config["SECRET_KEY_FALLBACKS"] == second[:1]


def test_a_restart_reads_what_is_there(tmp_path: Path) -> None:
    assert read_secrets(tmp_path) == read_secrets(tmp_path)


def test_a_rotation_may_come_before_the_first_start(tmp_path: Path) -> None:
    rotate_secret(tmp_path / "instance")
    assert len(read_secrets(tmp_path / "instance")) == 2


def test_nobody_else_may_read_them(tmp_path: Path) -> None:
    rotate_secret(tmp_path)
    assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}
