"""The second factor: every way in asks for it, a code is good once, and half a login opens nothing."""

from __future__ import annotations

import base64
import re

import pytest
from flask.testing import FlaskClient

from demo_app.seeds import SEEDS
from demo_app.state import HALF_LIFE
from tests.demo.conftest import Open

FRIDA = next(seed for seed in SEEDS if seed.recovery)


def log_in(client: FlaskClient) -> None:
    """Prove the first factor."""
    answer = client.post("/login", json={"identifier": FRIDA.name, "password": FRIDA.password})
    assert answer.json == {"name": FRIDA.name, "second_factor": True}


def account(client: FlaskClient) -> int:
    """Return how a script's look at the account is answered."""
    return client.get("/account", headers={"Accept": "application/json"}).status_code


def test_a_password_and_a_recovery_code_open_the_account(open_demo: Open) -> None:
    client = open_demo()
    log_in(client)
    assert account(client) == 401
    assert client.get("/account").location == "/second-factor"
    assert client.post("/second-factor", json={"code": "0" * 24}).status_code == 401
    assert account(client) == 401
    assert client.post("/second-factor", json={"code": FRIDA.recovery[0]}).json == {"name": FRIDA.name}
    assert account(client) == 200


def test_a_recovery_code_is_good_once(open_demo: Open) -> None:
    client = open_demo()
    answers = []
    for _ in range(2):
        log_in(client)
        answers.append(client.post("/second-factor", json={"code": FRIDA.recovery[0]}).status_code)
    assert answers == [200, 401]
    assert account(client) == 401


def test_without_the_first_factor_there_is_no_second(open_demo: Open) -> None:
    client = open_demo()
    assert client.post("/second-factor", json={"code": FRIDA.recovery[0]}).status_code == 401
    assert client.get("/second-factor").location == "/login"


@pytest.mark.parametrize(("age", "status"), [(HALF_LIFE - 60, 200), (HALF_LIFE + 1, 401)])
def test_half_a_login_is_good_for_ten_minutes(open_demo: Open, age: int, status: int) -> None:
    client = open_demo()
    log_in(client)
    with client.session_transaction() as session:
        session["first_factor"]["until"] -= age
        session.modified = True
    assert client.post("/second-factor", json={"code": FRIDA.recovery[0]}).status_code == status
    assert account(client) == status


def test_only_the_last_factor_makes_a_known_device(open_demo: Open) -> None:
    client = open_demo()
    half = client.post("/login", json={"identifier": FRIDA.name, "password": FRIDA.password})
    whole = client.post("/second-factor", json={"code": FRIDA.recovery[0]})
    minted = ["__Host-authguard-" in " ".join(answer.headers.getlist("Set-Cookie")) for answer in (half, whole)]
    assert minted == [False, True]


def test_basic_credentials_do_not_open_an_account_with_a_second_factor(open_demo: Open) -> None:
    credentials = base64.b64encode(f"{FRIDA.name}:{FRIDA.password}".encode()).decode()
    answer = open_demo().get("/account", headers={"Authorization": f"Basic {credentials}"})
    assert answer.status_code == 401


def test_a_link_alone_makes_no_known_device_where_a_second_factor_is_to_come(open_demo: Open) -> None:
    client = open_demo()
    client.post("/code-login", json={"identifier": FRIDA.contact})
    assert client.application.extensions["authguard"].codes.sender.drain()
    text = client.get("/outbox", headers={"Accept": "application/json"}).get_json()["messages"][0]["text"]
    link = re.search(r"/continue/\S+", text)
    assert link
    half = client.post(link[0], json={})
    assert (half.status_code, account(client)) == (200, 401)
    assert "__Host-authguard-" not in " ".join(half.headers.getlist("Set-Cookie"))
    whole = client.post("/second-factor", json={"code": FRIDA.recovery[2]})
    assert "__Host-authguard-" in " ".join(whole.headers.getlist("Set-Cookie"))
    assert account(client) == 200


@pytest.mark.parametrize("unguarded", [(), ("--unguarded",)])
def test_a_code_by_mail_is_a_first_factor_too(open_demo: Open, unguarded: tuple[str, ...]) -> None:
    client = open_demo(*unguarded)
    token = client.post("/code-login", json={"identifier": FRIDA.contact}).get_json()["token"]
    if not unguarded:
        assert client.application.extensions["authguard"].codes.sender.drain()
    text = client.get("/outbox", headers={"Accept": "application/json"}).get_json()["messages"][0]["text"]
    code = re.search(r"\b[0-9]{6}\b", text)
    assert code
    entered = client.post("/code-login/enter", json={"identifier": FRIDA.contact, "token": token, "code": code[0]})
    assert entered.status_code == 200
    assert "__Host-authguard-" not in " ".join(entered.headers.getlist("Set-Cookie"))
    assert account(client) == 401
    assert client.post("/second-factor", json={"code": FRIDA.recovery[1]}).status_code == 200
    assert account(client) == 200
