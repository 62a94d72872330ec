"""Alarm: a hand-written one over the whole site; while too much fails, logging in takes a challenge."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask, abort, jsonify, make_response

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import Bucket, HandAttempt, HandCounter, count_by_hand
from demo_app.naive.hits import Log

WINDOW = 300
"""Seconds that the alarm looks back."""
MINIMUM = 20
SHARE = 0.3
FAILED, RIGHT = "alarm failed", "alarm right"


class Alarm(HandCounter):
    """Counts as ever, and notes how all of the site's tries end."""

    @contextmanager
    def attempt(self, policy: str, *, id: str, secret: str) -> Iterator[HandAttempt]:
        """Enter an attempt, or answer 429 with a challenge where the alarm is on."""
        with self.hits.open() as log:
            alarmed = self.alarmed(log)
        if alarmed:
            abort(make_response(jsonify(code="challenge", challenge={"type": "captcha"}), 429))
        with super().attempt(policy, id=id, secret=secret) as attempt:
            yield attempt

    @abstractmethod
    def alarmed(self, log: Log) -> bool:
        """Return whether too much fails."""

    def fail(self, log: Log, buckets: tuple[Bucket, ...], now: float) -> None:
        """Note it."""
        super().fail(log, buckets, now)
        log.add(FAILED, now)

    def succeed(self, log: Log, buckets: tuple[Bucket, ...], now: float) -> None:
        """Note it."""
        super().succeed(log, buckets, now)
        log.add(RIGHT, now)


class AlarmForAll(Alarm):
    """Has everybody solve a challenge: who knows the way in best is asked like a stranger."""

    def alarmed(self, log: Log) -> bool:
        """Go by the number of failures, which successes don't change."""
        return len(log.times(FAILED, time.time() - WINDOW)) >= MINIMUM


class DilutedAlarm(Alarm):
    """Goes by the share of tries that fail, which is the attacker's to choose."""

    def alarmed(self, log: Log) -> bool:
        """Go by the share."""
        failed, right = (len(log.times(key, time.time() - WINDOW)) for key in (FAILED, RIGHT))
        return failed >= MINIMUM and failed > SHARE * (failed + right)


def challenge_everybody(app: Flask, defenses: Defenses) -> Defenses:
    """Replace an alarm that known devices don't notice."""
    return count_by_hand(app, defenses, AlarmForAll)


def count_tries(app: Flask, defenses: Defenses) -> Defenses:
    """Replace an alarm that counts accounts."""
    return count_by_hand(app, defenses, DilutedAlarm)
