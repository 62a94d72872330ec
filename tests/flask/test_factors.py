"""Second factors over HTTP: the first one partial, the second one last, and then the browser is known."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, abort
from flask.testing import FlaskClient
from pyotp import TOTP
from werkzeug.test import TestResponse

from authguard.flask import AuthGuard, read_fields
from authguard.otp.authenticator_app import new_app
from authguard.otp.recovery import hash_recovery_code, new_recovery_codes

APP = new_app()
CODES = new_recovery_codes(2)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    app = Flask("site", instance_path=str(tmp_path))
    app.config.update(SECRET_KEY="k" * 40)
    guard = AuthGuard(app)
    hashes = {hash_recovery_code("owner", code) or "" for code in CODES}

    @app.post("/second")
    def second() -> str:
        fields = read_fields("account", "code", "recovery")
        account = fields["account"]
        if fields["recovery"]:
            right = guard.factors.check_recovery(account, list(hashes), fields["recovery"], strike)
        else:
            right = guard.factors.check_app(account, APP if account == "owner" else None, fields["code"])
        return "in" if right else abort(401)

    def strike(made: str) -> bool:
        if made in hashes:
            hashes.remove(made)
            return True
        return False

    yield app.test_client()
    app.extensions["authguard"].store.close()


def enter(client: FlaskClient, **fields: str) -> TestResponse:
    return client.post("/second", data={"account": "owner", **fields}, environ_base={"REMOTE_ADDR": "192.0.2.1"})


def test_a_code_of_the_app_lets_in_once_and_makes_the_browser_known(client: FlaskClient) -> None:
    code = TOTP(APP.secret).at(int(time.time()))
    answer = enter(client, code=code)
    assert answer.status_code == 200
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert re.match(r"__Host-authguard-[0-9a-f]{10}=", cookie)
    assert enter(client, code=code).status_code == 401


def test_a_recovery_code_lets_in_once(client: FlaskClient) -> None:
    assert [enter(client, recovery=CODES[0]).status_code for _ in range(2)] == [200, 401]
    assert enter(client, recovery=CODES[1]).status_code == 200


def test_five_guesses_and_no_more(client: FlaskClient) -> None:
    statuses = [enter(client, code=f"{number:06d}").status_code for number in range(8)]
    assert statuses == [401] * 5 + [429] * 3
    assert enter(client, account="other", code="000000").status_code == 401


def test_a_blank_account_is_a_bad_request(client: FlaskClient) -> None:
    assert enter(client, account=" ", code="000000").status_code == 400
