"""Logging in and out, as a person does it and as a script does it."""

from __future__ import annotations

import base64
import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.demo.conftest import Open

PASSWORD = "correct horse battery staple"


def fill(client: FlaskClient, page: str, **fields: str) -> TestResponse:
    """Send the form of ``page``, with the token that it carries."""
    token = re.search(r'name="csrf" value="([^"]+)"', client.get(page).text)
    assert token
    return client.post(page, data={"csrf": token[1], **fields})


@pytest.mark.parametrize("identifier", ["alice", " ALICE ", "Alice@Example.com", "ａlice@example.com"])
def test_a_person_logs_in_and_out(open_demo: Open, identifier: str) -> None:
    client = open_demo()
    answer = fill(client, "/login", identifier=identifier, password=PASSWORD)
    assert (answer.status_code, answer.location) == (303, "/account")
    assert "alice@example.com" in client.get("/account").text
    fill_out = re.search(r'name="csrf" value="([^"]+)"', client.get("/account").text)
    assert fill_out
    assert client.post("/logout", data={"csrf": fill_out[1]}).status_code == 303
    assert client.get("/account").location == "/login"


def test_a_phone_number_is_a_name_too(open_demo: Open) -> None:
    answer = open_demo().post(
        "/login", json={"identifier": "+1 201 555 0123", "password": "seven quiet harbour lights"}
    )
    assert answer.json == {"name": "carol"}


@pytest.mark.parametrize("identifier", ["alice", "nobody"])
def test_a_wrong_password_and_an_unknown_name_look_alike(open_demo: Open, identifier: str) -> None:
    answer = open_demo().post("/login", json={"identifier": identifier, "password": "wrong"})
    assert answer.status_code == 401
    said = answer.get_json()
    token = said["challenge"].pop("token")
    assert said == {
        "identifier": identifier,
        "message": "That name and password don’t belong together.",
        "challenge": {"type": "delay", "wait": 5, "field": "authguard_challenge"},
    }
    assert len(token) > 40


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(("password", "status"), [(PASSWORD, 200), ("wrong", 401)])
def test_basic_credentials_open_the_account(open_demo: Open, method: str, password: str, status: int) -> None:
    credentials = base64.b64encode(f"alice:{password}".encode()).decode()
    answer = open_demo().open("/account", method=method, headers={"Authorization": f"Basic {credentials}"})
    assert answer.status_code == status


def test_other_credentials_than_basic_ones_are_none(open_demo: Open) -> None:
    headers = {"Authorization": "Bearer of a token", "Accept": "application/json"}
    assert open_demo().get("/account", headers=headers).get_json() == {"message": "Log in first."}


def test_a_form_without_its_token_is_refused(open_demo: Open) -> None:
    client = open_demo()
    client.get("/login")
    answer = client.post("/login", data={"identifier": "alice", "password": PASSWORD})
    assert answer.status_code == 400
    assert client.get("/account").location == "/login"


def test_a_form_out_of_nowhere_is_refused(open_demo: Open) -> None:
    assert open_demo().post("/login", data={"identifier": "alice", "password": PASSWORD}).status_code == 400


def test_the_session_of_before_is_not_kept(open_demo: Open) -> None:
    client = open_demo()
    with client.session_transaction() as session:
        session["planted"] = "by somebody"
    fill(client, "/login", identifier="alice", password=PASSWORD)
    with client.session_transaction() as session:
        assert "planted" not in session
        assert session["name"] == "alice"


def test_a_blank_name_is_refused(open_demo: Open) -> None:
    answer = open_demo().post("/login", json={"identifier": " ", "password": PASSWORD})
    assert answer.status_code == 400


def test_the_sixth_wrong_guess_is_told_when_to_come_back(open_demo: Open) -> None:
    client = open_demo()
    statuses = [fill(client, "/login", identifier="alice", password=f"guess {n}").status_code for n in range(5)]
    denied = fill(client, "/login", identifier="alice", password=PASSWORD)
    assert statuses == [401] * 5
    assert denied.status_code == 429
    wait = denied.headers.get("Retry-After", type=int)
    assert wait
    assert wait >= 890
    assert f"Come back in <strong>{-(-wait // 60)} minutes</strong>" in denied.text
    assert denied.headers["Cache-Control"] == "no-store"


def test_a_right_password_forgives_ones_own_wrong_ones(open_demo: Open) -> None:
    client = open_demo()
    guesses = [*(f"guess {n}" for n in range(4)), PASSWORD, *(f"guess {n}" for n in range(5, 10))]
    answers = [client.post("/login", json={"identifier": "alice", "password": guess}) for guess in guesses]
    assert [answer.status_code for answer in answers] == [401] * 4 + [200] + [401] * 5


def test_a_script_is_told_in_json(open_demo: Open) -> None:
    client = open_demo()
    for number in range(5):
        client.post("/login", json={"identifier": "alice", "password": f"guess {number}"})
    denied = client.post("/login", json={"identifier": "alice", "password": PASSWORD})
    assert denied.status_code == 429
    assert denied.json
    assert denied.json["retry_after"] == denied.headers.get("Retry-After", type=int)


def test_unguarded_nothing_is_counted(open_demo: Open) -> None:
    client = open_demo("--unguarded")
    guesses = [*(f"guess {n}" for n in range(25)), PASSWORD]
    answers = [client.post("/login", json={"identifier": "alice", "password": guess}) for guess in guesses]
    assert [answer.status_code for answer in answers] == [401] * 25 + [200]
    assert "Every defense is off." in client.get("/").text
