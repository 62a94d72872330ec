"""Challenges over HTTP: what a refused stranger is offered, by script and by browser, and what comes back."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import request
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from authguard.clock import ManualClock
from authguard.flask import state as state_module
from authguard.flask.retry import read_answer, read_form
from authguard.guard import Answerable, Offer
from authguard.guard.ruling import Refusal
from authguard.http import Form, answer
from authguard.stores.memory import MemoryStore
from tests.flask.site import Site

OWNER = "owner@example.com"
BROWSER = {"Accept": "text/html"}


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def site(tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setattr(state_module, "open_store", lambda url, deadline: MemoryStore(clock))
    return Site(tmp_path)


def guess(client: FlaskClient, password: str, ip: str = "127.0.0.1", **more: str) -> TestResponse:
    fields = {"email": OWNER, "password": password, **more}
    return client.post("/login", data=fields, environ_base={"REMOTE_ADDR": ip})


def burn(site: Site) -> None:
    for number in range(6):
        guess(site.client(), f"stranger's {number}", f"198.51.{number}.7")


class Page(HTMLParser):
    """The inputs of a page: those filled in, and those to fill in."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.hidden: dict[str, str] = {}
        self.asked: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "input" and given.get("type") == "hidden":
            self.hidden[given["name"] or ""] = given["value"] or ""
        elif tag == "input":
            self.asked.append(given["name"] or "")


def test_a_script_is_told_token_wait_and_field_and_gets_in_by_header(site: Site, clock: ManualClock) -> None:
    burn(site)
    refused = guess(site.client(), "right")
    assert refused.status_code == 429
    assert refused.json is not None
    told = refused.json["challenge"]
    assert (told["type"], told["wait"], told["field"]) == ("delay", 5, "authguard_challenge")
    assert int(refused.headers["Retry-After"]) >= 900
    clock.advance(5_000_000)
    body = {"email": OWNER, "password": "right"}
    header = {"Authguard-Challenge": told["token"]}
    assert site.client().post("/login", json=body, headers=header).status_code == 200
    assert site.client().post("/login", json=body, headers=header).status_code == 429


def test_who_was_told_wrong_under_the_second_name_gets_in_by_the_offer_of_that_page(
    tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_module, "open_store", lambda url, deadline: MemoryStore(clock))
    site = Site(tmp_path, resolver=lambda name: "7")
    site.stored["owner"] = site.stored[OWNER]

    @site.app.errorhandler(401)
    def offer(error: Exception) -> tuple[dict[str, str], int]:
        made = site.guard.offer("login", id=request.form["email"])
        return {"token": made.token if made is not None else ""}, 401

    burn(site)
    told = guess(site.client(), "right", email="owner")
    assert told.status_code == 401
    clock.advance(5_000_000)
    token = (told.json or {})["token"]
    assert guess(site.client(), "right", email="owner", authguard_challenge=token).status_code == 200
    assert guess(site.client(), "right", email="owner", authguard_challenge=token).status_code == 401


def test_the_answer_may_be_a_member_of_a_json_body(site: Site, clock: ManualClock) -> None:
    burn(site)
    refused = guess(site.client(), "right")
    assert refused.json is not None
    clock.advance(5_000_000)
    body = {"email": OWNER, "password": "right", "authguard_challenge": refused.json["challenge"]["token"]}
    assert site.client().post("/login", json=body).status_code == 200


def test_a_browser_gets_a_form_that_works_without_scripts_and_keeps_no_secret(site: Site, clock: ManualClock) -> None:
    burn(site)
    client = site.client()
    fields = {"email": OWNER, "password": "right", "next": "/a?b=\"<c>'&d"}
    refused = client.post("/login", data=fields, headers=BROWSER)
    assert refused.status_code == 429
    assert "no-store" in refused.headers["Cache-Control"]
    assert "frame-ancestors 'none'" in refused.headers["Content-Security-Policy"]
    assert "5 seconds" in refused.text
    assert "right" not in refused.text
    page = Page(refused.text)
    assert page.asked == ["password"]
    assert set(page.hidden) == {"email", "next", "authguard_challenge"}
    assert page.hidden["next"] == fields["next"]
    clock.advance(5_000_000)
    assert client.post("/login", data={**page.hidden, "password": "right"}, headers=BROWSER).status_code == 200


def test_an_impatient_browser_keeps_its_token(site: Site, clock: ManualClock) -> None:
    burn(site)
    client = site.client()
    fields, tokens = {"email": OWNER, "password": "x"}, []
    for _ in range(3):
        page = Page(client.post("/login", data=fields, headers=BROWSER).text)
        tokens.append(page.hidden["authguard_challenge"])
        fields |= page.hidden
        clock.advance(1_000_000)
    assert len(set(tokens)) == 1
    clock.advance(2_000_000)
    assert guess(client, "right", authguard_challenge=tokens[0]).status_code == 200


def test_a_denial_that_no_challenge_opens_offers_none(site: Site) -> None:
    for _ in range(30):
        assert guess(site.client(), "right").status_code == 200
    refused = guess(site.client(), "right")
    assert refused.status_code == 429
    assert refused.json is not None
    assert "challenge" not in refused.json


REFUSED = Answerable(Refusal.CHALLENGE, 900_000_000, True, "challenge", Offer("delay", 'tok"en<', 1, {"site": "key"}))


def test_everything_that_came_is_escaped() -> None:
    form = Form((('na"me', "<script>alert('x')</script>"),), ('pass"word<',))
    page = answer(REFUSED, True, form=form).body.decode()
    assert "<script" not in page
    assert Page(page).hidden == {'na"me': "<script>alert('x')</script>", "authguard_challenge": 'tok"en<'}
    assert Page(page).asked == ['pass"word<']


def test_a_wait_is_whole_seconds_and_never_none() -> None:
    told = answer(REFUSED, False).body.decode()
    assert '"wait": 1' in told
    assert '"site": "key"' in told


def test_a_page_without_a_form_offers_nothing_to_send() -> None:
    assert "<form" not in answer(REFUSED, True).body.decode()


@pytest.mark.parametrize(
    ("given", "secret", "kept", "asked"),
    [
        ({"email": "a", "password": "p"}, "p", ["email"], ["password"]),
        ({"email": "a", "kennwort": "p", "csrf_token": "t"}, "p", ["email", "csrf_token"], ["kennwort"]),
        ({"email": "a", "password": "p", "new_password": "q"}, "p", ["email"], ["password", "new_password"]),
        ({"email": "a", "authguard_challenge": "old", "pin": "1"}, None, ["email"], ["pin"]),
    ],
)
def test_secrets_are_asked_for_again(
    site: Site, given: dict[str, str], secret: str | None, kept: list[str], asked: list[str]
) -> None:
    with site.app.test_request_context("/login", method="POST", data=given):
        form = read_form(request, secret)
    assert form is not None
    assert [name for name, _ in form.kept] == kept
    assert list(form.asked) == asked


@pytest.mark.parametrize(
    "odd",
    [
        {"method": "PUT", "data": {"email": "a"}},
        {"method": "POST", "json": {"email": "a"}},
        {"method": "POST", "data": {f"field{n}": "x" for n in range(50)}},
        {"method": "POST", "data": {"email": "x" * 9000}},
        {"method": "POST", "data": {"email": "a", f"password {'call this number ' * 5}": "p"}},
        {"method": "POST", "data": {"email": "a"}, "query_string": {"password": "p"}},
    ],
)
def test_what_a_page_can_not_send_again_gets_no_form(site: Site, odd: dict[str, object]) -> None:
    with site.app.test_request_context("/login", **odd):
        assert read_form(request, "p") is None


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000 + b"authguard_challenge",
        b'{"authguard_challenge": 7}',
        b'["authguard_challenge"]',
        b"authguard_challenge",
    ],
)
def test_a_broken_body_is_no_answer(site: Site, body: bytes) -> None:
    with site.app.test_request_context("/login", method="POST", data=body, content_type="application/json"):
        assert read_answer(request) == ""


def test_an_answer_that_is_too_long_is_none(site: Site) -> None:
    with site.app.test_request_context("/login", method="POST", data={"authguard_challenge": "A" * 600}):
        assert read_answer(request) == ""
