"""Account clearing: a success wipes the account's counter, whoever has filled it, under a key that aliases share."""

from __future__ import annotations

from dataclasses import replace

from flask import Flask

from demo_app.contact import fold
from demo_app.gate import Defenses
from demo_app.naive.hand_counter import Bucket, HandCounter, count_by_hand
from demo_app.naive.hand_factors import HandFactors
from demo_app.naive.hits import Log


class AccountClearing(HandCounter):
    """Starts an account anew on success."""

    def account_of(self, identifier: str) -> str:
        """Return a mailbox without its ``+tag``: all of them are one to count."""
        box, at, domain = fold(identifier).rpartition("@")
        return box.partition("+")[0] + at + domain

    def succeed(self, log: Log, buckets: tuple[Bucket, ...], now: float) -> None:
        """Forget the account's failures."""
        super().succeed(log, buckets, now)
        log.clear(buckets[0].key)


def clear_account(app: Flask, defenses: Defenses) -> Defenses:
    """Replace what a success leaves standing on the account."""
    cleared = count_by_hand(app, defenses, AccountClearing)
    return replace(cleared, factors=HandFactors(cleared.gate))
