"""Denials as a client sees them: status, headers, body."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask, abort, json, request
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from authguard.flask import Denied
from tests.flask.site import Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def guess(client: FlaskClient, password: str, email: str = "owner@example.com", accept: str = "*/*") -> TestResponse:
    return client.post("/login", data={"email": email, "password": password}, headers={"Accept": accept})


def denied(site: Site, accept: str = "*/*") -> TestResponse:
    client = site.client()
    for n in range(5):
        assert guess(client, f"wrong{n}").status_code == 401
    return guess(client, "right", accept=accept)


def test_a_denial_is_a_problem_that_may_not_be_stored_and_says_when_to_come_back(site: Site) -> None:
    answer = denied(site)
    assert answer.status_code == 429
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.mimetype == "application/problem+json"
    assert answer.json is not None
    assert answer.json["retry_after"] == int(answer.headers["Retry-After"])
    # 15 minutes, and at most a tenth more.
    assert 900 <= int(answer.headers["Retry-After"]) <= 991


def test_a_browser_gets_a_page(site: Site) -> None:
    answer = denied(site, accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert answer.status_code == 429
    assert answer.mimetype == "text/html"
    assert "come back in" in answer.text
    assert "no-store" in answer.headers["Cache-Control"]


def test_an_application_may_answer_by_itself(site: Site) -> None:
    @site.app.errorhandler(Denied)
    def own_page(error: Denied) -> tuple[str, int, dict[str, str]]:
        return "later", error.code or 0, {"Retry-After": str(error.retry_after)}

    answer = denied(site)
    assert (answer.text, answer.status_code) == ("later", 429)
    assert int(answer.headers["Retry-After"]) >= 900


def test_a_handler_for_its_status_does_not_see_a_denial(site: Site) -> None:
    site.app.register_error_handler(429, lambda error: ("never", 429))
    assert "There were too many tries" in denied(site).get_json(force=True)["detail"]


def test_a_handler_for_all_errors_sees_why_it_is_refused(site: Site) -> None:
    @site.app.errorhandler(HTTPException)
    def as_json(error: HTTPException) -> Any:
        response = error.get_response()
        response.set_data(json.dumps({"name": error.name, "description": error.description}))
        return response

    answer = denied(site)
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) >= 900
    told = answer.get_json(force=True)
    assert told["name"] == "Too Many Requests"
    assert told["description"].startswith("There were too many tries")


@pytest.mark.parametrize(
    "email", ["", "   ", "\x00", "a@b.com\x00", "no one@", "@", "x" * 400, "\u3164", "a\r\nb@c.de"]
)
def test_a_blank_or_broken_identifier_is_400_and_nobody_is_counted(site: Site, email: str) -> None:
    client = site.client()
    for _ in range(8):
        answer = guess(client, "x", email)
        assert answer.status_code == 400
        assert email.strip() not in answer.text or not email.strip()
    assert guess(client, "right").status_code == 200


def test_a_get_of_the_form_is_free_and_any_request_with_credentials_counts(site: Site) -> None:
    client = site.client()
    assert all(client.get("/login").status_code == 200 for _ in range(40))
    for n in range(3):
        assert client.put("/login", data={"email": "owner@example.com", "password": f"a{n}"}).status_code == 401
    for n in range(2):
        assert client.get(f"/login?email=owner@example.com&password=b{n}").status_code == 400
    for n in range(2):
        assert guess(client, f"c{n}").status_code == 401
    assert client.put("/login", data={"email": "owner@example.com", "password": "d"}).status_code == 429


def test_options_is_answered_by_flask_and_free(site: Site) -> None:
    client = site.client()
    assert all(client.options("/login").status_code == 200 for _ in range(40))
    assert guess(client, "right").status_code == 200


def test_a_password_that_can_not_be_hashed_is_400(site: Site) -> None:
    answer = guess(site.client(), "x" * 5000)
    assert answer.status_code == 400
    assert answer.mimetype == "application/problem+json"


def test_two_applications_in_one_process_do_not_share_counters(tmp_path: Path) -> None:
    first, second = Site(tmp_path / "one"), Site(tmp_path / "two")
    assert denied(first).status_code == 429
    assert guess(second.client(), "right").status_code == 200


def test_two_applications_on_one_store_are_kept_apart_by_name(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'shared.sqlite3'}"
    first = Site(tmp_path / "one", AUTHGUARD_STORE=url, AUTHGUARD_NAMESPACE="one")
    second = Site(tmp_path / "two", AUTHGUARD_STORE=url, AUTHGUARD_NAMESPACE="two")
    same = Site(tmp_path / "three", AUTHGUARD_STORE=url, AUTHGUARD_NAMESPACE="one")
    assert denied(first).status_code == 429
    assert guess(second.client(), "right").status_code == 200
    assert guess(same.client(), "right").status_code == 429


def test_the_default_store_is_a_file_in_the_instance_folder(tmp_path: Path) -> None:
    Site(tmp_path / "instance")
    assert (tmp_path / "instance" / "authguard.sqlite3").is_file()


def test_a_nested_attempt_on_one_verifier_is_the_same_attempt(site: Site) -> None:
    guard = site.guard
    with site.app.test_request_context("/login", method="POST", environ_base={"REMOTE_ADDR": "192.0.2.1"}):
        for n in range(5):
            with guard.attempt("login", id="owner", secret=f"x{n}") as outer:
                assert guard.attempt("login", id="owner", secret=f"x{n}") is outer
        with pytest.raises(Denied):
            guard.attempt("login", id="owner", secret="x5")


def test_two_guesses_in_one_request_are_two_charges(site: Site) -> None:
    with site.app.test_request_context("/login", method="POST", environ_base={"REMOTE_ADDR": "192.0.2.1"}):
        first = site.guard.attempt("login", id="owner", secret="a")
        assert site.guard.attempt("login", id="owner", secret="b") is not first


def test_an_application_without_the_extension_is_told_so() -> None:
    from authguard.errors import ConfigurationError
    from authguard.flask import AuthGuard

    with Flask("bare").test_request_context(), pytest.raises(ConfigurationError, match="init_app"):
        AuthGuard().attempt("login", id="a@b.com")


def test_a_verifier_that_does_not_ask_whether_an_attempt_is_blind_lets_nobody_in(tmp_path: Path) -> None:
    site = Site(tmp_path, resolver=lambda identifier: "7")

    @site.app.post("/elsewhere")
    def elsewhere() -> str:
        with site.guard.attempt("login", id=request.form["email"], secret=request.form["password"]) as attempt:
            if request.form["password"] != "right":
                abort(401)
            attempt.succeed()
        return "in"

    def post(email: str, password: str) -> int:
        return site.client().post("/elsewhere", data={"email": email, "password": password}).status_code

    assert post("owner@example.com", "right") == 200
    assert [post("owner", f"wrong{n}") for n in range(5)] == [401] * 5
    assert post("owner@example.com", "right") == 401


@pytest.mark.parametrize(
    "body",
    [
        {"email": ["owner@example.com"], "password": "right"},
        {"email": {"a": 1}, "password": "right"},
        {"email": 7, "password": "right"},
        {"email": "owner@example.com", "password": ["right"]},
        {"email": "owner@example.com", "password": 7},
    ],
)
def test_what_a_json_body_holds_in_place_of_text_is_400_and_reaches_no_verifier(
    site: Site, body: dict[str, object]
) -> None:
    @site.app.post("/api/login")
    def api_login() -> str:
        fields = request.get_json()
        with site.guard.attempt("login", id=fields["email"], secret=fields["password"]):
            raise AssertionError("nobody can have typed this")

    answer = site.client().post("/api/login", json=body)
    assert answer.status_code == 400
    assert answer.get_json(force=True)["code"] == "not_text"
