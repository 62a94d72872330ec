"""Known devices over HTTP: the cookie's form, when it is set, and what it is good for."""

from __future__ import annotations

from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from authguard.login.slots import Lane
from tests.flask.site import Site

OWNER = "owner@example.com"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def guess(client: FlaskClient, password: str, email: str = OWNER, ip: str = "192.0.2.1") -> TestResponse:
    return client.post("/login", data={"email": email, "password": password}, environ_base={"REMOTE_ADDR": ip})


def burn(site: Site, email: str = OWNER) -> None:
    """Use up the account's tries from other networks."""
    for number in range(6):
        guess(site.client(), f"stranger's {number}", email, f"198.51.{number}.7")


def crumbs(answer: TestResponse) -> dict[str, SimpleCookie]:
    """Return the cookies that an answer sets, by name."""
    found = [SimpleCookie(header) for header in answer.headers.getlist("Set-Cookie")]
    return {name: cookie for cookie in found for name in cookie if name.startswith("__Host-authguard-")}


def test_a_login_sets_a_cookie_that_scripts_other_hosts_and_plain_http_can_not_reach(site: Site) -> None:
    ((name, cookie),) = crumbs(guess(site.client(), "right")).items()
    morsel = cookie[name]
    assert morsel["httponly"]
    assert morsel["secure"]
    assert (morsel["samesite"], morsel["path"], morsel["domain"]) == ("Lax", "/", "")
    assert morsel["max-age"] == str(180 * 86_400)


def test_only_a_login_that_came_through_sets_one(site: Site) -> None:
    assert crumbs(guess(site.client(), "wrong")) == {}
    burn(site)
    assert crumbs(guess(site.client(), "right")) == {}


def test_a_first_factor_alone_sets_none(site: Site) -> None:
    with site.app.test_request_context("/login", method="POST", environ_base={"REMOTE_ADDR": "192.0.2.1"}):
        with site.guard.attempt("login", id=OWNER, secret="right") as attempt:
            attempt.partial()
            attempt.succeed()
        assert crumbs_of_context(site.app) == []


def test_where_no_device_is_known_none_is_made(site: Site) -> None:
    with site.app.test_request_context("/confirm", method="POST", environ_base={"REMOTE_ADDR": "192.0.2.1"}):
        with site.guard.attempt("signup-confirm", id=OWNER) as attempt:
            attempt.succeed()
        assert crumbs_of_context(site.app) == []


def crumbs_of_context(app: Flask) -> list[str]:
    """Return the cookies that the answer to the request at hand would set."""
    return app.process_response(app.response_class()).headers.getlist("Set-Cookie")


def test_the_owner_s_browser_gets_in_while_strangers_burn_the_account(site: Site) -> None:
    browser = site.client()
    assert guess(browser, "right").status_code == 200
    burn(site)
    assert guess(site.client(), "right").status_code == 429
    assert guess(browser, "right", ip="203.0.113.50").status_code == 200


def test_the_cookie_of_one_account_is_none_of_another(site: Site) -> None:
    attacker = site.client()
    assert guess(attacker, "right", "owner").status_code == 200
    burn(site)
    assert guess(attacker, "x", OWNER).status_code == 429


def test_revoking_turns_browsers_into_strangers_and_keeps_the_one_at_hand(site: Site) -> None:
    @site.app.post("/password")
    def change() -> str:
        site.guard.devices.revoke(OWNER, keep_this=True)
        return "changed"

    one, other = site.client(), site.client()
    for browser in (one, other):
        assert guess(browser, "right").status_code == 200
    assert one.post("/password").status_code == 200
    burn(site)
    assert guess(other, "right").status_code == 429
    assert guess(one, "right").status_code == 200


def test_with_a_resolver_one_device_is_known_under_every_name(tmp_path: Path) -> None:
    site = Site(tmp_path, resolver=lambda name: "7" if name.startswith("owner") else None)

    @site.app.post("/revoke")
    def revoke() -> str:
        site.guard.devices.revoke("7")
        return "revoked"

    browser = site.client()
    assert guess(browser, "right", "owner").status_code == 200
    burn(site)
    assert guess(browser, "right", OWNER).status_code == 200
    site.client().post("/revoke")
    assert guess(browser, "right", OWNER).status_code == 429


def test_the_life_of_a_device_is_configured(tmp_path: Path) -> None:
    answer = guess(Site(tmp_path, AUTHGUARD_DEVICE_LIFE="30d").client(), "right")
    ((name, cookie),) = crumbs(answer).items()
    assert cookie[name]["max-age"] == str(30 * 86_400)


@pytest.mark.parametrize(("previous", "status"), [(["a" * 32], 200), ([], 429)])
def test_a_rotated_secret_knows_the_old_devices_until_it_is_retired(
    tmp_path: Path, previous: list[str], status: int
) -> None:
    before = Site(tmp_path, AUTHGUARD_SECRET="a" * 32)
    browser = before.client()
    assert guess(browser, "right").status_code == 200
    after = Site(tmp_path, AUTHGUARD_SECRET="b" * 32, AUTHGUARD_PREVIOUS_SECRETS=previous)
    burn(after)
    moved = after.client()
    for cookie in (browser._cookies or {}).values():
        moved.set_cookie(cookie.key, cookie.value)
    assert guess(moved, "right").status_code == status


@pytest.fixture
def lanes(site: Site) -> list[tuple[str | None, Lane]]:
    """The client and lane of every hash slot taken."""
    taken: list[tuple[str | None, Lane]] = []
    hold = site.passwords._slots.hold

    def note(client: str | None = None, lane: Lane = Lane.STRANGERS) -> object:
        taken.append((client, lane))
        return hold(client, lane)

    site.passwords._slots.hold = note  # type: ignore[method-assign,assignment]
    return taken


def test_a_known_device_hashes_in_its_own_lane(site: Site, lanes: list[tuple[str | None, Lane]]) -> None:
    browser = site.client()
    for _ in range(2):
        assert guess(browser, "right").status_code == 200
    guess(browser, "x", "owner")
    assert [lane for _, lane in lanes] == [Lane.STRANGERS, Lane.KNOWN, Lane.STRANGERS]


def test_requests_without_an_address_share_one_place(site: Site, lanes: list[tuple[str | None, Lane]]) -> None:
    with site.app.test_request_context("/", environ_overrides={"REMOTE_ADDR": ""}):
        assert not request.remote_addr
        site.guard.passwords.verify(None, "x")
    assert lanes == [("no address", Lane.STRANGERS)]
