"""Planted browser: a browser's id is given before anybody logs in, and a login makes it known as it is."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask, Response, after_this_request, request

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import HandAttempt, HandCounter, count_by_hand

COOKIE = "browser"
LIFE = 15_552_000
"""Seconds for which a browser stays known."""


class PlantedBrowsers(HandCounter):
    """Counts known browsers apart from strangers."""

    @contextmanager
    def attempt(self, policy: str, *, id: str, secret: str) -> Iterator[HandAttempt]:
        """Enter an attempt in the browser's own lane, where the account knows it."""
        browser = request.cookies.get(COOKIE) or _give_cookie()
        mark = f"{policy} browser {self.account_of(id)} {browser}"
        with self.hits.open() as log:
            known = bool(log.times(mark, time.time() - LIFE))
        with super().attempt(policy, id=f"{id} {browser}" if known else id, secret=secret) as attempt:
            yield attempt
        if attempt.succeeded:
            with self.hits.open() as log:
                log.add(mark, time.time())


def _give_cookie() -> str:
    browser = secrets.token_urlsafe(16)

    @after_this_request
    def give(response: Response) -> Response:
        response.set_cookie(COOKIE, browser, max_age=LIFE, httponly=True, secure=True, samesite="Lax")
        return response

    return browser


def know_planted_browsers(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the device id that each login makes anew."""
    return count_by_hand(app, defenses, PlantedBrowsers)
