"""A small real application under guard, in a temporary instance folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from flask import Flask, abort, request
from flask.testing import FlaskClient

from authguard.events import Observer
from authguard.flask import AuthGuard, read_fields
from authguard.login.argon2_hasher import UNSAFE_FOR_TESTS, Argon2Hasher
from authguard.login.notices import Notice
from authguard.login.passwords import Passwords


class Site:
    """One application with a guarded login at ``/login`` for a single account."""

    def __init__(
        self,
        folder: Path,
        resolver: Callable[[str], str | None] | None = None,
        observers: Sequence[Observer] = (),
        on_notice: Callable[[Notice], object] | None = None,
        **config: Any,
    ) -> None:
        self.app = Flask("site", instance_path=str(folder))
        self.app.config.update(SECRET_KEY="k" * 40, **config)
        self.passwords = Passwords(Argon2Hasher(UNSAFE_FOR_TESTS))
        self.guard = AuthGuard(
            self.app, passwords=self.passwords, resolver=resolver, observers=observers, on_notice=on_notice
        )
        self.stored = {"owner@example.com": self.passwords.hash("right"), "owner": self.passwords.hash("right")}
        self.app.add_url_rule("/login", view_func=self.log_in, methods=["GET", "POST", "PUT"])

    def log_in(self) -> str:
        if request.method == "GET" and not request.args:
            return "form"
        fields = read_fields("email", "password")
        with self.guard.attempt("login", id=fields["email"], secret=fields["password"]) as attempt:
            if not self.guard.passwords.verify(self.stored.get(fields["email"]), fields["password"]):
                abort(401)
            attempt.succeed()
        return "in"

    def client(self) -> FlaskClient:
        return self.app.test_client()
