"""The page on login: its application runs, and its numbers are the shipped ones."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from authguard.clock import SECOND
from authguard.login.census import A_NETWORK
from authguard.login.challenge import ACCEPTED_FOR, FIRST_WAIT, LONGEST_WAIT
from authguard.login.detection import SENSITIVITIES, Sensitivity
from authguard.login.devices import DEVICE_LIFE, MOST_COOKIES
from authguard.policy import PRESETS, check_policies
from authguard.policy.toml import read_policies
from tests.login.door_rig import Browser, DoorRig
from tests.repository.tree import ROOT

PAGE = (ROOT / "docs/login.md").read_text()


def blocks(language: str) -> list[str]:
    """Return the page's code blocks in ``language``."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the page's examples define, run in their order; the owner's password is ``right``."""
    monkeypatch.setenv("AUTHGUARD_STORE", "memory://")
    made: dict[str, Any] = {"__name__": "example"}
    for example in blocks("python"):
        exec(compile(example, "login.md", "exec"), made)  # noqa: S102 - our own page
    with made["app"].test_request_context():
        made["accounts"]["owner"]["password"] = made["guard"].passwords.hash("right")
    return made


def guess(client: FlaskClient, password: str, name: str = "owner", ip: str = "192.0.2.1") -> TestResponse:
    return client.post("/login", json={"name": name, "password": password}, environ_base={"REMOTE_ADDR": ip})


def burn(app: Any) -> list[TestResponse]:
    return [guess(app.test_client(), f"wrong{n}", ip=f"198.51.{n}.7") for n in range(6)]


def test_the_application_does_what_the_page_says(names: dict[str, Any]) -> None:
    app = names["app"]
    home, work = app.test_client(), app.test_client()
    assert [guess(home, "right").status_code, guess(work, "right", "owner@example.com").status_code] == [200, 200]
    *failed, refused = burn(app)
    assert [answer.status_code for answer in failed] == [401] * 5
    assert guess(work, "right").status_code == 200
    assert home.post("/password", json={"old": "right", "new": "new"}).status_code == 200
    assert guess(home, "new").status_code == 200
    assert guess(work, "new").status_code == 429
    (said,) = blocks("json")
    told, page = refused.json, json.loads(said)
    assert told is not None
    assert told.keys() == page.keys()
    assert told["challenge"].keys() == page["challenge"].keys()
    assert {key: told[key] for key in ("title", "status", "detail", "code")} == {
        key: page[key] for key in ("title", "status", "detail", "code")
    }


def test_its_own_page_posts_the_request_again(names: dict[str, Any]) -> None:
    burn(names["app"])
    fields = {"name": "owner", "password": "right"}
    page = names["app"].test_client().post("/login", data=fields, headers={"Accept": "text/html"})
    assert page.status_code == 429
    assert int(page.headers["Retry-After"]) >= 900
    assert '<input type="hidden" name="name" value="owner">' in page.text
    assert re.search(r'name="authguard_challenge" value="[\w-]{100,}"', page.text)
    assert '<input type="password" name="password" required>' in page.text
    assert "right" not in page.text


def test_who_is_wrong_is_offered_the_same_whether_the_tries_are_used_up_under_another_name_or_not(
    names: dict[str, Any],
) -> None:
    burn(names["app"])
    for name in ("owner@example.com", "nobody@example.com"):
        page = names["app"].test_client().post("/sign-in", data={"name": name, "password": "right"})
        assert page.status_code == 401
        assert re.search(r'<button name="authguard_challenge" value="[\w-]{100,}">', page.text)
        assert "in\n6 seconds" in page.text


def test_the_owner_is_told(names: dict[str, Any]) -> None:
    burn(names["app"])
    names["app"].extensions["authguard"].door._notices._courier._thread.shutdown(wait=True)
    assert names["told"] == ["7"]


def test_a_confirmation_makes_one_account(names: dict[str, Any]) -> None:
    def join(email: str) -> int:
        return int(names["app"].test_client().post("/confirm", json={"email": email}).status_code)

    names["joined"].add("taken@example.com")
    spellings = ("taken@example.com", "taken@example.com", "new@example.com", "new+again@example.com")
    assert [join(email) for email in spellings] == [409, 409, 200, 429]


@pytest.fixture
def two_routes() -> DoorRig:
    """A login and an API's, by the policies that the page gives them."""
    (text,) = blocks("toml")
    policies = read_policies(text)
    assert check_policies(policies) == ()
    return DoorRig(policies)


ROUTES = ("login", "api-login")
NAMES = [f"email:name{n}@example.com" for n in range(4)]


def test_a_stolen_cookie_has_five_guesses_on_both_routes_and_under_all_names_together(two_routes: DoorRig) -> None:
    browser = Browser()
    two_routes.log_in(browser, account=NAMES[0], behind="account:1")
    tried = [
        two_routes.guess(f"{name} {n}", browser.copy(), policy=ROUTES[n % 2], account=name, behind="account:1")
        for name in NAMES
        for n in range(5)
    ]
    assert sum(attempt.allowed and not attempt.blind for attempt in tried) == 5


@pytest.mark.parametrize("names", [NAMES[:1], NAMES])
def test_so_have_strangers_and_twenty_more_with_solved_challenges(two_routes: DoorRig, names: list[str]) -> None:
    started, guessed = two_routes.clock.now(), 0
    for number in range(120):
        who: dict[str, Any] = {
            "account": names[number % len(names)],
            "policy": ROUTES[number // 4 % 2],
            "ip": f"198.51.{number}.7",
        }
        tried = two_routes.guess(f"wrong {number}", behind="account:1", **who)
        if tried.refused is not None and tried.refused.offer is not None:
            two_routes.clock.advance(tried.refused.offer.wait)
            answer = tried.refused.offer.token
            tried = two_routes.guess(f"wrong {number}", answer=answer, behind="account:1", **who)
        guessed += tried.allowed and not tried.blind
    assert two_routes.clock.now() - started < 15 * 60 * SECOND
    assert guessed == 25


def test_the_numbers_are_the_shipped_ones() -> None:
    login, signup = PRESETS["login"], PRESETS["signup-confirm"]
    limits = {layer.name: str(layer.limit) for layer in (*login.layers, *signup.layers)}
    said = {
        "account": "5/15m",
        "account-known": "5/15m",
        "authenticator-known": "5/15m",
        "ceiling": "100/52w1d",
        "same-secret": "30/1d",
        "challenged": "20/1d",
        "challenged-a-client": "10/1d",
        "challenged-an-address": "60/1h",
        "attempts-an-address": "300/15m",
        "mailbox": "1/52w1d",
        "domain": "50/1d",
    }
    assert {name: limits[name] for name in said} == said
    second = 1_000_000
    assert (5 * second, 900 * second, 300 * second) == (FIRST_WAIT, LONGEST_WAIT, ACCEPTED_FOR)
    assert (180 * 86_400 * second, 8) == (DEVICE_LIFE, MOST_COOKIES)
    rules = Sensitivity()
    assert (rules.minimum, rules.above, rules.below) == (20, 0.30, 0.15)
    assert login.layer("accounts-an-address").limit.amount == A_NETWORK == 3
    # Networks that raise the alarm at once, or within an hour.
    fewest = {rules.window: -(-rules.minimum // A_NETWORK) for rules in sorted(SENSITIVITIES, key=lambda r: -r.minimum)}
    assert fewest == {300.0: 4, 3600.0: 7}
