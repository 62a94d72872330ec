"""What is offered to whoever is told that name and password don't belong together: another look, later."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from authguard.clock import SECOND, ManualClock
from authguard.flask import state as state_module
from authguard.stores.memory import MemoryStore
from tests.demo.conftest import Open
from tests.demo.test_login import PASSWORD, fill
from tests.demo.test_second_factor import FRIDA

FIELD = "authguard_challenge"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> ManualClock:
    """Return the clock of the demo's store."""
    clock = ManualClock()
    monkeypatch.setattr(state_module, "open_store", lambda url, deadline: MemoryStore(clock))
    return clock


def burn(client: FlaskClient, identifier: str) -> None:
    """Use up the tries of ``identifier`` from elsewhere."""
    for number in range(5):
        guess = {"identifier": identifier, "password": f"a stranger's {number}"}
        answer = client.post("/login", json=guess, environ_base={"REMOTE_ADDR": f"192.0.{number}.8"})
        assert answer.status_code == 401


def offered_in_json(client: FlaskClient) -> str:
    """Log in as a script does; return the challenge's token."""
    answer = client.post("/login", json={"identifier": "alice", "password": PASSWORD})
    assert answer.status_code == 401
    return str(answer.get_json()["challenge"]["token"])


def offered_in_html(client: FlaskClient) -> str:
    """Log in as a person does; return the value of the second button."""
    answer = fill(client, "/login", identifier="alice", password=PASSWORD)
    assert answer.status_code == 401
    assert "It works in 5 seconds, not before." in answer.text
    button = re.search(rf'<button [^>]*name="{FIELD}" value="([^"]+)">', answer.text)
    assert button
    return button[1]


@pytest.mark.parametrize("ask", [offered_in_json, offered_in_html])
def test_an_owner_whose_other_name_strangers_use_up_gets_in(
    open_demo: Open, clock: ManualClock, ask: Callable[[FlaskClient], str]
) -> None:
    client = open_demo()
    burn(client, "alice@example.com")
    token = ask(client)
    early = fill(client, "/login", identifier="alice", password=PASSWORD, **{FIELD: token})
    assert early.status_code == 401
    clock.advance(5 * SECOND)
    late = fill(client, "/login", identifier="alice", password=PASSWORD, **{FIELD: token})
    assert (late.status_code, late.location) == (303, "/account")


def basic(client: FlaskClient, name: str, password: str) -> dict[str, object]:
    """Log in by HTTP Basic; return what is said."""
    credentials = base64.b64encode(f"{name}:{password}".encode()).decode()
    headers = {"Authorization": f"Basic {credentials}", "Accept": "application/json"}
    answer = client.get("/account", headers=headers)
    assert answer.status_code == 401
    said: dict[str, object] = answer.get_json()
    return said


def test_it_is_offered_for_basic_credentials_too_a_second_factor_or_not(open_demo: Open) -> None:
    client = open_demo()
    credentials = [("nobody", "wrong"), (FRIDA.name, FRIDA.password)]
    assert all("challenge" in basic(client, *pair) for pair in credentials)


@pytest.mark.parametrize("arguments", [("--unguarded",), ("--without", "charge-first"), ("--monitor", "127.0.0.1")])
def test_where_nothing_can_be_solved_nothing_is_offered(open_demo: Open, arguments: tuple[str, ...]) -> None:
    said = open_demo(*arguments).post("/login", json={"identifier": "alice", "password": "wrong"}).get_json()
    assert said == {"identifier": "alice", "message": "That name and password don’t belong together."}


@pytest.mark.parametrize("defense", ["verifier", "resolver", "device-lane"])
def test_pieces_that_leave_the_guard_in_place_leave_the_offer(open_demo: Open, defense: str) -> None:
    said = open_demo("--without", defense).post("/login", json={"identifier": "alice", "password": "wrong"}).get_json()
    assert "challenge" in said
