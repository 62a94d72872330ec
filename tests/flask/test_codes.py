"""Codes over HTTP: a small site with code login, whose people have mailboxes, browsers and bad intentions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from authguard.errors import ConfigurationError
from authguard.events import MessageWithheld
from authguard.flask import AuthGuard, Messages
from authguard.flask.codes import COOKIE
from tests.delivery.providers import Inbox
from tests.flask.post import OWNER, Post, ask, cookies, enter


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    made = Post(tmp_path)
    yield made
    made.close()


def test_a_code_gets_its_reader_in_once(post: Post) -> None:
    client = post.app.test_client()
    asked = ask(client)
    assert asked.json is not None
    assert asked.json["next"] == 60
    assert post.inbox.messages == [] or post.inbox.messages[0].to == OWNER
    code = post.code()
    assert enter(client, asked.json["token"], code).status_code == 200
    assert enter(client, asked.json["token"], code).status_code == 400


def test_who_has_no_address_is_told_so_and_gets_nothing(post: Post) -> None:
    assert ask(post.app.test_client(), ip="").status_code == 400
    assert post.inbox.messages == []


def test_the_browsers_cookie_is_out_of_reach_and_says_nothing(post: Post) -> None:
    ((name, cookie),) = cookies(ask(post.app.test_client())).items()
    morsel = cookie[name]
    assert name == COOKIE
    assert re.fullmatch(r"[0-9a-f]{32}", morsel.value)
    assert (morsel["httponly"], morsel["secure"], morsel["samesite"], morsel["path"]) == (True, True, "Lax", "/")
    assert morsel["max-age"] == str(20 * 60)


def test_a_browser_keeps_its_id(post: Post) -> None:
    client = post.app.test_client()
    first = cookies(ask(client))[COOKIE][COOKIE].value
    again = cookies(ask(client, "other@example.com"))[COOKIE][COOKIE].value
    assert first == again


@pytest.mark.parametrize("planted", ["", "x", "0" * 31, "A" * 32, "0" * 33, "0" * 31 + "٣"])
def test_an_id_of_another_form_is_replaced(post: Post, planted: str) -> None:
    client = post.app.test_client()
    client.set_cookie(COOKIE, planted, domain="localhost")
    assert cookies(ask(client))[COOKIE][COOKIE].value != planted


def test_a_token_is_of_no_use_in_another_browser(post: Post) -> None:
    client = post.app.test_client()
    token = (ask(client).json or {})["token"]
    for number in range(8):
        answer = enter(post.app.test_client(), token, post.code(), ip=f"198.51.{number}.1")
        assert answer.status_code == 400
        assert COOKIE not in cookies(answer)
    assert enter(client, token, post.code()).status_code == 200


def test_every_wrong_code_has_one_answer(post: Post) -> None:
    client = post.app.test_client()
    token, nobodys = ((ask(client, email).json or {})["token"] for email in (OWNER, "nobody@example.com"))
    code = post.code()
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    answers = [
        enter(client, token, wrong),
        enter(client, nobodys, wrong, "nobody@example.com"),
        enter(client, nobodys, code),
        enter(client, token, code, "other@example.com"),
        *(enter(client, token, given) for given in ("", "1", code + " ", "١٢٣٤٥٦", "1e5000", "-12345")),
        *(enter(client, given, code) for given in ("", "x", token[:-1], token + "=", "gAAAA")),
    ]
    assert len({(answer.status_code, answer.data, frozenset(answer.headers)) for answer in answers}) == 1
    assert answers[0].status_code == 400
    assert enter(client, token, code).status_code == 200


@pytest.mark.parametrize("given", [123456, ["1", "2"], {"a": 1}, None, True, 1e300])
def test_a_code_of_another_kind_is_a_bad_request(post: Post, given: object) -> None:
    client = post.app.test_client()
    token = (ask(client).json or {})["token"]
    answer = client.post("/verify", json={"email": OWNER, "token": token, "code": given})
    assert answer.status_code == 400


def test_somebody_and_nobody_get_the_same_answer(post: Post) -> None:
    somebody, nobody = (ask(post.app.test_client(), email) for email in (OWNER, "nobody@example.com"))
    assert somebody.status == nobody.status
    assert [name for name, _ in somebody.headers] == [name for name, _ in nobody.headers]
    assert len(somebody.data) == len(nobody.data)
    post.drain()
    assert len(post.inbox.messages) == 1


def test_asking_again_too_soon_is_told_to_the_client_that_did(post: Post) -> None:
    client = post.app.test_client()
    for email in (OWNER, "nobody@example.com"):
        ask(client, email)
        refused = ask(client, email)
        assert refused.status_code == 429
        assert 60 <= int(refused.headers["Retry-After"]) <= 66
    assert ask(post.app.test_client(), ip="198.51.100.1").status_code == 200
    post.drain()
    assert MessageWithheld("mail", "login", "ladder") in post.events


@pytest.mark.parametrize("email", ["", " ", "a@b@c", "x" * 400, "a\r\nb@example.com"])
def test_an_identifier_that_cannot_be_read_is_a_bad_request(post: Post, email: str) -> None:
    client = post.app.test_client()
    assert ask(client, email).status_code == 400
    assert enter(client, "x", "123456", email).status_code == 400
    assert COOKIE not in cookies(ask(client, email))


def test_a_scanner_may_open_the_link_and_its_reader_gets_in_with_any_browser(post: Post) -> None:
    ask(post.app.test_client())
    link = post.link()
    for method, status in (("GET", 200), ("HEAD", 400), ("GET", 200)):
        assert post.app.test_client().open(link, method=method).status_code == status
    person = post.app.test_client()
    assert person.post(link).text == "in as 1"
    assert person.post(link).status_code == 400
    assert person.get("/continue/nonsense").status_code == 400


def test_a_link_leads_to_the_configured_host_whatever_the_request_says(post: Post) -> None:
    client = post.app.test_client()
    client.post("/send", data={"email": OWNER}, headers={"Host": "evil.example", "X-Forwarded-Host": "evil.example"})
    assert post.link()
    assert "evil" not in post.inbox.messages[-1].text


@pytest.mark.parametrize("resolver", [False, True])
def test_a_right_code_makes_the_browser_a_known_device(tmp_path: Path, resolver: bool) -> None:
    post = Post(tmp_path, resolver)
    client = post.app.test_client()
    token = (ask(client).json or {})["token"]
    answer = enter(client, token, post.code())
    assert [name for name in cookies(answer) if re.fullmatch(r"__Host-authguard-[0-9a-f]{10}", name)]
    for number in range(3):
        ask(post.app.test_client(), ip=f"198.51.{number}.1")
    post.drain()
    before = len(post.inbox.messages)
    assert ask(post.app.test_client(), ip="198.51.99.1").status_code == 429
    assert ask(client).status_code == 200
    post.drain()
    assert len(post.inbox.messages) == before + 1
    post.close()


def test_a_followed_link_makes_the_browser_known_where_accounts_have_ids(tmp_path: Path) -> None:
    post = Post(tmp_path, resolver=True)
    ask(post.app.test_client())
    answer = post.app.test_client().post(post.link())
    assert [name for name in cookies(answer) if re.fullmatch(r"__Host-authguard-[0-9a-f]{10}", name)]
    post.close()


def test_who_follows_links_is_told_what_who_enters_codes_is(tmp_path: Path) -> None:
    """Its own ladder is reset too, in a browser that never becomes known."""
    post = Post(tmp_path)
    for _ in range(3):
        client = post.app.test_client()
        assert (ask(client).json or {})["next"] == 60
        assert client.post(post.link(), environ_base={"REMOTE_ADDR": "192.0.2.1"}).text == "in as 1"
    assert len(post.inbox.messages) == 3
    post.close()


def test_a_text_message_ends_with_the_line_that_binds_it_to_the_site(post: Post) -> None:
    state = post.app.extensions["authguard"]
    with post.app.test_request_context("/send", method="POST", environ_base={"REMOTE_ADDR": "192.0.2.1"}):
        post.guard.codes.send("login", "+491712345678", deliver="+491712345678", account="1")
    assert state.codes.sender.drain(20)
    text = post.inbox.messages[-1].text
    assert text.splitlines()[-1] == f"@example.com #{post.code()}"
    assert post.inbox.messages[-1].subject == ""


def test_what_is_missing_or_wrong_is_said_at_start(tmp_path: Path) -> None:
    def start(messages: Messages, toml: str = "") -> None:
        app = Flask("site", instance_path=str(tmp_path))
        path = tmp_path / "codes.toml"
        path.write_text(toml)
        app.config.update(SECRET_KEY="k" * 40, AUTHGUARD_CONFIG=str(path), AUTHGUARD_STORE="memory://")
        app.config["AUTHGUARD_STORE_CHECK"] = "warn"
        AuthGuard(app, messages=messages)

    good = "https://example.com/{token}"
    for messages, toml, word in (
        (Messages("https://example.com/", Inbox()), "", "token"),
        (Messages(good), "", "mail=, sms= or both"),
        (Messages(good, Inbox(), sms_rate="1/1s"), "", "sms_rate"),
        (Messages(good, sms=Inbox(), sms_rate="often"), "", "pace"),
        (Messages(good, Inbox()), "[policies.otp-verify]\ndigits = 0\n", "digits"),
        (Messages(good, Inbox()), '[codes]\nttl = "2h"\n', "ttl"),
        (Messages(good, Inbox()), '[codes]\nlink_ttl = "1m"\n', "link_ttl"),
        (Messages(good, Inbox()), "[codes]\ntries = 11\n", "tries"),
        (Messages(good, Inbox()), "[codes]\ntrys = 1\n", "trys"),
    ):
        with pytest.raises(ConfigurationError, match=word):
            start(messages, toml)


def test_codes_without_messages_say_what_to_do(tmp_path: Path) -> None:
    app = Flask("site", instance_path=str(tmp_path))
    app.config.update(SECRET_KEY="k" * 40)
    guard = AuthGuard(app)
    with app.test_request_context(), pytest.raises(ConfigurationError, match="messages="):
        _ = guard.codes


def test_the_file_says_how_long_codes_live_and_how_many_digits_they_have(tmp_path: Path) -> None:
    (tmp_path / "authguard.toml").write_text(
        '[policies.otp-verify]\ndigits = 8\n[codes]\nttl = "10m"\ntries = 3\nlink_ttl = "2h"\n'
    )
    post = Post(tmp_path)
    rules = post.app.extensions["authguard"].codes.foundation.rules
    assert (rules.ttl, rules.link_ttl, rules.tries) == (600_000_000, 7_200_000_000, 3)
    ask(post.app.test_client())
    post.drain()
    assert re.search(r"\b[0-9]{8}\b", post.inbox.messages[0].text)
    post.close()
