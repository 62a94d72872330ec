"""Worker: one of the processes that are killed while they charge and settle, and the journal that it leaves behind.

Each step is written down before the next begins, and what is written outlives the process: a record is a letter and
the attempt's nonce. The nonce says everything about an attempt, so that whoever reads it can make the same call again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from random import Random
from threading import Event

from authguard.clock import SECOND
from authguard.limits import Counter, Outcome, Plan
from authguard.limits.plan import KEY_SIZE, NONCE_SIZE
from authguard.stores import open_store
from authguard.testing.plans import attempts, failures

ACCOUNTS = 32
LIMIT = 10_000
PATIENT = 30 * SECOND
LONGEST_HASH = 0.05
"""Seconds that checking the secret takes at most, where it takes any; most workers are killed there."""


class Step(StrEnum):
    """What is about to happen to an attempt, or has just happened."""

    DECIDING = "d"
    ADMITTED = "a"
    SETTLING = "s"
    SETTLED = "e"


def counters_of(account: int) -> tuple[Counter, Counter]:
    """Return the counter of an account's failures and that of all its attempts."""
    key = bytes([account]) * (KEY_SIZE - 1)
    return failures(f"{LIMIT}/1h", key + b"f"), attempts(f"{LIMIT}/1h", key + b"a")


def plan_of(nonce: bytes) -> Plan:
    """Return the plan of an attempt."""
    return Plan(counters_of(nonce[0] % ACCOUNTS), hold=10 * 60 * SECOND, nonce=nonce)


def outcome_of(nonce: bytes) -> Outcome:
    """Return how an attempt ends, if it does."""
    return list(Outcome)[nonce[1] % 3]


class Journal:
    """The records of one worker, on disk."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, step: Step, nonce: bytes) -> None:
        """Add a record: when this returns no kill can undo it."""
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, step.encode() + nonce)
        os.close(file)

    def read(self) -> Iterator[tuple[Step, bytes]]:
        """Yield the records."""
        held = self._path.read_bytes() if self._path.exists() else b""
        for start in range(0, len(held), 1 + NONCE_SIZE):
            yield Step(chr(held[start])), held[start + 1 : start + 1 + NONCE_SIZE]


def work(url: str, path: Path) -> None:
    """Charge and settle one attempt after the other, until killed."""
    store, journal, random, never = open_store(url, deadline=PATIENT), Journal(path), Random(), Event()
    while True:
        nonce = random.randbytes(NONCE_SIZE)
        journal.write(Step.DECIDING, nonce)
        receipt = store.decide(plan_of(nonce)).receipt
        assert receipt is not None
        journal.write(Step.ADMITTED, nonce)
        if random.random() < 0.5:
            never.wait(random.random() * LONGEST_HASH)
        journal.write(Step.SETTLING, nonce)
        assert store.settle(receipt, outcome_of(nonce))
        journal.write(Step.SETTLED, nonce)
