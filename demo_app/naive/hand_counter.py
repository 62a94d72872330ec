"""Hand counter: what a careful developer writes in an afternoon; the naive counters change one step of it each."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from flask import Flask
from werkzeug.exceptions import TooManyRequests

from authguard.policy import load_policies
from demo_app.contact import fold
from demo_app.gate import Defenses, Place
from demo_app.naive.hits import Hits, Log, SharedHits
from demo_app.naive.peer import client_address, network
from demo_app.open_gate import OpenGate


@dataclass(frozen=True, slots=True)
class Bucket:
    """At most ``amount`` hits of ``key`` in ``window`` seconds."""

    key: str
    amount: int
    window: float


class HandAttempt:
    """An attempt that remembers whether it succeeded."""

    succeeded = False

    def succeed(self) -> None:
        """Remember."""
        self.succeeded = True

    def partial(self) -> None:
        """Take it for a success: the password was right."""
        self.succeed()


class HandCounter:
    """Counts failures an account and an address in a sliding window: charged first, given back on success.

    Its numbers are those of the login policy's two layers of that name, whatever the policy asked for.
    """

    def __init__(self, hits: Hits, config: Path | None) -> None:
        login = load_policies(config)["login"]
        self.hits = hits
        self.account = login.layer("account").limit
        self.address = login.layer("address").limit

    @contextmanager
    def attempt(self, policy: str, *, id: str, secret: str) -> Iterator[HandAttempt]:
        """Enter an attempt, or answer 429."""
        now, buckets = time.time(), self._buckets(policy, id)
        with self.hits.open() as log:
            wait = max(self.wait(log, bucket, now) for bucket in buckets)
            if wait > 0:
                self.deny(log, buckets, now)
            else:
                self.admit(log, buckets, now)
        if wait > 0:
            raise TooManyRequests("Too many tries.", retry_after=math.ceil(wait))
        attempt = HandAttempt()
        try:
            yield attempt
        finally:
            with self.hits.open() as log:
                (self.succeed if attempt.succeeded else self.fail)(log, buckets, now)

    def offer(self, policy: str, *, id: str) -> None:
        """Have none to make."""

    def count(self, policy: str, *, id: str) -> None:
        """Count an action, by the same numbers."""
        with self.attempt(policy, id=id, secret=""):
            pass

    def confirmation(self, *, id: str) -> AbstractContextManager[Place]:
        """Leave it to the unique index that no contact has two accounts."""
        return OpenGate().confirmation(id=id)

    def account_of(self, identifier: str) -> str:
        """Return what stands for the account that ``identifier`` was typed for."""
        return fold(identifier)

    def client(self) -> str:
        """Return whom failures are counted for besides the account; where nobody, there is no such count."""
        return network(client_address())

    def wait(self, log: Log, bucket: Bucket, now: float) -> float:
        """Return the seconds until ``bucket`` has room; 0 or less when it has."""
        times = log.times(bucket.key, now - bucket.window)
        return times[-bucket.amount] + bucket.window - now if len(times) >= bucket.amount else 0.0

    def admit(self, log: Log, buckets: tuple[Bucket, ...], now: float) -> None:
        """Charge an attempt that was let through."""
        for bucket in buckets:
            log.add(bucket.key, now)

    def deny(self, log: Log, buckets: tuple[Bucket, ...], now: float) -> None:
        """Leave a refused attempt uncounted."""

    def fail(self, log: Log, buckets: tuple[Bucket, ...], now: float) -> None:
        """Let the charge stand."""

    def succeed(self, log: Log, buckets: tuple[Bucket, ...], now: float) -> None:
        """Give the attempt's own charge back."""
        for bucket in buckets:
            log.remove(bucket.key, now)

    def _buckets(self, policy: str, identifier: str) -> tuple[Bucket, ...]:
        counted = [(f"{policy} account {self.account_of(identifier)}", self.account)]
        if client := self.client():
            counted.append((f"{policy} address {client}", self.address))
        return tuple(Bucket(key, limit.amount, limit.period / 1e6) for key, limit in counted)


def count_by_hand(app: Flask, defenses: Defenses, counter: type[HandCounter], hits: Hits | None = None) -> Defenses:
    """Put ``counter`` in the place of authguard's, on a file in the instance folder unless ``hits`` says otherwise."""
    folder, config = Path(app.instance_path), app.config["AUTHGUARD_CONFIG"]
    shared = hits or SharedHits(folder / "naive.sqlite3")
    return replace(defenses, gate=counter(shared, Path(config) if config else None))
