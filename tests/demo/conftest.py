"""A demo of one's own for each test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from demo_app.app import create_app, prepare
from demo_app.options import parse_options

Open = Callable[..., FlaskClient]


@pytest.fixture
def open_demo(tmp_path: Path) -> Open:
    """Return a function that opens the demo with the given command line."""

    def open_with(*arguments: str) -> FlaskClient:
        options = parse_options([*arguments, "--instance", str(tmp_path / "instance")])
        prepare(options)
        return create_app(options).test_client()

    return open_with
