"""A view that forgets to say that a login succeeded is told of, once in the log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import abort, request

from authguard.errors import Overloaded
from authguard.events import Event, Misconfigured
from authguard.guard import Attempt
from tests.flask.site import Site


class Forgetful(Site):
    """A site whose ``/login`` checks the password and then does with the attempt what ``ending`` does."""

    def __init__(self, folder: Path, ending: Callable[[Attempt], object], rehash: bool = False) -> None:
        self.seen: list[Event] = []
        self.ending = ending
        self.rehash = rehash
        super().__init__(folder, observers=[self], AUTHGUARD_STORE="memory://")

    def observe(self, event: Event) -> None:
        if isinstance(event, Misconfigured):
            self.seen.append(event)

    def log_in(self) -> str:
        password, stored = request.form["password"], self.stored["owner"]
        with self.guard.attempt("login", id="owner", secret=password) as attempt:
            if self.rehash:
                right = self.guard.passwords.verify_and_rehash(stored, password).matches
            else:
                right = self.guard.passwords.verify(stored, password)
            if right:
                self.ending(attempt)
        return "done"

    def post(self, password: str) -> int:
        return self.client().post("/login", data={"password": password}).status_code


@pytest.mark.parametrize("rehash", [False, True])
def test_every_forgotten_word_is_counted_and_the_first_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, rehash: bool
) -> None:
    site = Forgetful(tmp_path, lambda attempt: None, rehash)
    with caplog.at_level(logging.WARNING, "authguard"):
        assert [site.post("right"), site.post("right")] == [200, 200]
    assert [(event.code, event.news) for event in site.seen if isinstance(event, Misconfigured)] == [
        ("unsettled_success", True),
        ("unsettled_success", False),
    ]
    (told,) = (record.getMessage() for record in caplog.records if "unsettled" in record.getMessage())
    assert "attempt.succeed()" in told


@pytest.mark.parametrize("ending", [Attempt.succeed, Attempt.partial, Attempt.fail, lambda attempt: abort(403)])
def test_whoever_says_a_word_or_leaves_by_an_exception_means_it(
    tmp_path: Path, ending: Callable[[Attempt], object]
) -> None:
    site = Forgetful(tmp_path, ending)
    site.post("right")
    assert site.seen == []


def test_a_wrong_password_needs_no_word(tmp_path: Path) -> None:
    site = Forgetful(tmp_path, lambda attempt: None)
    assert site.post("wrong") == 200
    assert site.seen == []


class Twofold(Forgetful):
    """A site whose ``/login`` has an attempt under way on each of two accounts."""

    def log_in(self) -> str:
        """Check ``other`` by the inner attempt, then ``password`` by the outer one; ``ending`` gets that."""
        password, other = request.form["password"], request.form["other"]
        attempt = self.guard.attempt
        with attempt("login", id="owner", secret=password) as outer, attempt("login", id="somebody", secret=other):
            self.guard.passwords.verify(self.stored["owner@example.com"], other)
            if self.guard.passwords.verify(self.stored["owner"], password):
                self.ending(outer)
        return "done"

    def post(self, password: str, other: str = "wrong") -> int:
        return self.client().post("/login", data={"password": password, "other": other}).status_code


def test_a_match_is_the_attempt_that_tries_that_password_and_no_other(tmp_path: Path) -> None:
    site = Twofold(tmp_path, Attempt.succeed)
    assert site.post("right") == 200
    assert site.seen == []
    site.ending = lambda attempt: None
    assert site.post("right") == 200
    assert len(site.seen) == 1


def test_an_overload_gives_no_miss_back_because_another_attempt_matched(tmp_path: Path) -> None:
    def run_out(attempt: Attempt) -> None:
        attempt.succeed()
        raise Overloaded("hash_slots")

    site = Twofold(tmp_path, run_out)
    assert [site.post("right", f"guess {number}") for number in range(6)] == [503] * 5 + [429]
