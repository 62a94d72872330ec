"""Development: messages where a person building the application reads them."""

from __future__ import annotations

import io
import json
import stat
from pathlib import Path

import pytest

from authguard.delivery import Channel
from authguard.delivery.development import Console, File
from tests.delivery.providers import message


def test_the_console_shows_everything(capsys: pytest.CaptureFixture[str]) -> None:
    stream = io.StringIO()
    Console(stream).deliver(message("code 012345", Channel.MAIL))
    assert stream.getvalue() == "--- mail to +15005550006\nsubject\n\ncode 012345\n---\n"
    Console().deliver(message("code 012345"))
    assert "code 012345" in capsys.readouterr().err


def test_the_file_holds_a_line_a_message_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "messages"
    for text in ("one\ntwo", "three"):
        File(path).deliver(message(text))
    assert [json.loads(line)["text"] for line in path.read_text().splitlines()] == ["one\ntwo", "three"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
