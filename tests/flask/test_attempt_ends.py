"""Where an attempt ends: what overload undoes, and what a view may do around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from flask import Response, request

from authguard.errors import Overloaded
from tests.flask.site import Site

OWNER = "owner@example.com"


class Odd(Site):
    """A site whose ``/login`` does what ``view`` does."""

    def __init__(self, folder: Path, view: Callable[[Odd, str], object]) -> None:
        self.view = view
        super().__init__(folder, resolver=lambda name: "7", AUTHGUARD_STORE="memory://")

    def log_in(self) -> object:  # type: ignore[override]
        return self.view(self, request.form["password"])

    def post(self, password: str, ip: str = "192.0.2.1") -> int:
        fields = {"email": OWNER, "password": password}
        return self.client().post("/login", data=fields, environ_base={"REMOTE_ADDR": ip}).status_code

    def burn(self, name: str = OWNER) -> None:
        """Use up the account's tries under ``name``, as strangers do."""
        for number in range(5):
            address = {"REMOTE_ADDR": f"198.51.{number}.7"}
            with self.app.test_request_context("/login", method="POST", environ_base=address):
                self.guard.attempt("login", id=name, secret=f"wrong{number}").fail()


def overloaded_after_the_look(site: Odd, password: str) -> str:
    with site.guard.attempt("login", id=OWNER, secret=password) as attempt:
        if site.guard.passwords.verify(site.stored[OWNER], password):
            attempt.succeed()
            return "in"
        raise Overloaded("breach_list_busy")


def test_an_overload_after_the_password_was_found_wrong_gives_no_guess_back(tmp_path: Path) -> None:
    site = Odd(tmp_path, overloaded_after_the_look)
    assert [site.post(f"wrong{n}") for n in range(7)] == [503] * 5 + [429] * 2


def overloaded_after_the_match(site: Odd, password: str) -> str:
    with site.guard.attempt("login", id=OWNER, secret=password):
        assert site.guard.passwords.verify(site.stored[OWNER], "right")
        assert not site.guard.passwords.verify(site.stored[OWNER], "one of the former")
        raise Overloaded("breach_list_busy")


def test_an_overload_after_the_password_was_found_right_is_no_failure(tmp_path: Path) -> None:
    site = Odd(tmp_path, overloaded_after_the_match)
    assert [site.post(f"right in its way {n}") for n in range(8)] == [503] * 8


def passwords_first(site: Odd, password: str) -> str:
    passwords = site.guard.passwords
    with site.guard.attempt("login", id="owner", secret=password):
        return str(passwords.verify(site.stored["owner"], password))


def test_passwords_at_hand_before_a_blind_attempt_are_blind_in_it(tmp_path: Path) -> None:
    site = Odd(tmp_path, passwords_first)
    site.burn()
    answer = site.client().post("/login", data={"password": "right"})
    assert (answer.status_code, answer.text) == (200, "False")


def settled_while_the_answer_streams(site: Odd, password: str) -> Response:
    right = site.guard.passwords.verify(site.stored[OWNER], password)
    attempt = site.guard.attempt("login", id=OWNER, secret=password)

    def stream() -> Iterator[str]:
        with attempt:
            if right:
                attempt.succeed()
            yield "in" if right else "wrong"

    return Response(stream())


def test_who_succeeds_after_the_request_is_over_is_in_and_no_known_device(tmp_path: Path) -> None:
    site = Odd(tmp_path, settled_while_the_answer_streams)
    answer = site.client().post("/login", data={"password": "right"})
    assert (answer.text, answer.headers.getlist("Set-Cookie")) == ("in", [])
    assert [site.post(f"wrong{n}") for n in range(6)] == [200] * 5 + [429]
