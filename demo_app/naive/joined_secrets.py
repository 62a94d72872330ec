"""Joined secrets: the same wrong password of one client is one failure, on however many accounts it is tried."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import HandAttempt, HandCounter, count_by_hand


class JoinedSecrets(HandCounter):
    """Spares a client whose device repeats an old password, and with it everybody who sprays one."""

    @contextmanager
    def attempt(self, policy: str, *, id: str, secret: str) -> Iterator[HandAttempt]:
        """Enter an attempt, counted unless this client has failed with this password before."""
        failed = f"{policy} secret {self.client()} {hashlib.sha256(secret.encode()).hexdigest()}"
        with self.hits.open() as log:
            repeated = bool(log.times(failed, time.time() - self.account.period / 1e6))
        if repeated:
            yield HandAttempt()
            return
        with super().attempt(policy, id=id, secret=secret) as attempt:
            yield attempt
        if not attempt.succeeded:
            with self.hits.open() as log:
                log.add(failed, time.time())


def join_by_secret(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the joining of equal guesses at one account."""
    return count_by_hand(app, defenses, JoinedSecrets)
