"""Malformed tokens, links, codes and destinations over HTTP: one refusal, no fault, and nothing used up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from authguard.otp.digits import is_code
from tests.demo.conftest import Open
from tests.identity.fuzz import mutate

INPUTS = 150
CONTACT = "alice@example.com"
LIMITLESS = "".join(
    f"[policies.{policy}.layers.{layer}]\nremove = true\n"
    for policy, layers in (
        ("otp-send", ("account", "account-a-day", "address", "subnet", "site")),
        ("message", ("pace",)),
    )
    for layer in layers
)
LIMITLESS += '[policies.otp-send.layers.global]\nlimit = "9999/1m"\n[codes]\nttl = "1h"\n'


@pytest.fixture
def client(open_demo: Open, tmp_path: Path) -> FlaskClient:
    """Open a demo in which no number of requests is too many."""
    config = tmp_path / "policies.toml"
    config.write_text(LIMITLESS)
    return open_demo("--config", str(config))


def texts(client: FlaskClient) -> list[str]:
    """Return the messages so far, newest first, once none is under way."""
    client.application.extensions["authguard"].codes.sender.drain()
    document = client.get("/outbox", headers={"Accept": "application/json"}).get_json()
    return [message["text"] for message in document["messages"]]


def mutants(good: str) -> Iterator[str]:
    """Yield texts that are nearly ``good``."""
    random = Random(good)
    for _ in range(INPUTS):
        text = mutate(random, good)
        if text.strip() != good:
            yield text


def test_bad_tokens_codes_and_links_get_one_answer_and_use_nothing_up(client: FlaskClient) -> None:
    token = client.post("/code-login", json={"identifier": CONTACT}).get_json()["token"]
    text = texts(client)[0]
    found = re.search(r"/continue/(\S+)", text)
    assert found
    code, link = text[:6], found[1]
    entries = [{"token": each, "code": code} for each in mutants(token)]
    entries += [{"token": token, "code": each} for each in mutants(code) if not is_code(each.strip(), 6)]
    entries += [{"token": token, "code": each} for each in ([code], {"code": code}, int(code), None, True)]  # type: ignore[dict-item]
    answers = [client.post("/code-login/enter", json={"identifier": CONTACT, **entry}) for entry in entries]
    assert {answer.status_code for answer in answers} == {400}
    # A slash too many in front is Werkzeug's to take away, by a redirect.
    spelled = [quote(each, safe="", errors="replace") for each in mutants(link) if not each.startswith("/")]
    followed = [client.post(f"/continue/{each}", json={}) for each in spelled]
    assert {answer.status_code for answer in followed} <= {400, 404}
    entry = {"identifier": CONTACT, "token": token, "code": code}
    assert client.post("/code-login/enter", json=entry).status_code == 200


@pytest.mark.parametrize("good", [CONTACT, "+12015550123", "ελένη"])
def test_whatever_is_typed_for_an_address_is_answered_and_messages_go_to_accounts_alone(
    client: FlaskClient, good: str
) -> None:
    statuses = {client.post("/code-login", json={"identifier": each}).status_code for each in mutants(good)}
    assert statuses <= {200, 400}
    document = client.get("/outbox", headers={"Accept": "application/json"}).get_json()
    assert {message["recipient"] for message in document["messages"]} <= {CONTACT, "+12015550123", "eleni@example.com"}
