"""Messages for somebody else's account over HTTP: they leave what their reader may ask for alone."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from authguard.flask import Denied
from tests.flask.post import OWNER, Post, ask, enter


def test_a_change_of_address_keeps_no_code_from_who_reads_it(tmp_path: Path) -> None:
    post = Post(tmp_path, resolver=True)
    for number in range(5):
        at = {"REMOTE_ADDR": f"203.0.{number}.1"}
        for account in ("2", "3"):
            with post.app.test_request_context("/contact", method="POST", environ_base=at), suppress(Denied):
                post.guard.codes.send("contact", OWNER, deliver=OWNER, account=account)
    post.drain()
    client = post.app.test_client()
    assert enter(client, (ask(client).json or {})["token"], post.code()).status_code == 200
    post.close()
