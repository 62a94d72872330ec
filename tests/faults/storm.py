"""Storm: workers killed at random, and what must stand in the store when it is over."""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter as Tally
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from threading import Event

from authguard.limits import Outcome
from authguard.stores import Store, open_store
from tests.faults.worker import ACCOUNTS, PATIENT, Journal, Step, outcome_of, plan_of, work

WORKERS = 4
LONGEST_LIFE = 0.4
"""Seconds after which the next worker is killed, at most."""
_SERVER = multiprocessing.get_context("forkserver")


class Storm:
    """Lets workers charge and settle in the store at ``url``, and kills one after the other.

    What a worker was just doing when it was killed may have landed or not. That is found out as a client would: the
    same call is made again with the same nonce, which counts once.
    """

    def __init__(self, url: str, folder: Path, random: Random) -> None:
        self.kills = 0
        self.repeated: Tally[tuple[Step, bool]] = Tally()
        """How often a deciding or a settling call was cut off, and whether it had landed."""
        self._url = url
        self._folder = folder
        self._random = random
        self._journals: list[Journal] = []
        self._store = open_store(url, deadline=PATIENT)

    @property
    def store(self) -> Store:
        """The store, to look into."""
        return self._store

    def rage(self, seconds: float) -> None:
        """Kill workers for so long, then the rest of them."""
        running = [self._start() for _ in range(WORKERS)]
        end, pause = time.monotonic() + seconds, Event()
        while time.monotonic() < end:
            pause.wait(self._random.random() * LONGEST_LIFE)
            victim = self._random.randrange(WORKERS)
            self._kill(*running[victim])
            running[victim] = self._start()
        for process, journal in running:
            self._kill(process, journal)

    def expected(self) -> tuple[Tally[int], Tally[int], int]:
        """Return what must stand: each account's failures and attempts, and how many attempts nobody settled."""
        failed: Tally[int] = Tally()
        tried: Tally[int] = Tally()
        orphans = 0
        for journal in self._journals:
            steps: dict[bytes, list[Step]] = {}
            for step, nonce in journal.read():
                steps.setdefault(nonce, []).append(step)
            for nonce, taken in steps.items():
                settled, account = Step.SETTLED in taken, nonce[0] % ACCOUNTS
                orphans += not settled
                tried[account] += 1
                failed[account] += not settled or outcome_of(nonce) is Outcome.FAILURE
        return failed, tried, orphans

    def _start(self) -> tuple[BaseProcess, Journal]:
        path = self._folder / f"{len(self._journals)}.journal"
        self._journals.append(Journal(path))
        process = _SERVER.Process(target=work, args=(self._url, path), daemon=True)
        process.start()
        return process, self._journals[-1]

    def _kill(self, process: BaseProcess, journal: Journal) -> None:
        if process.exitcode is not None:
            raise AssertionError(f"a worker ended by itself with {process.exitcode}")
        process.kill()
        process.join(30)
        process.close()
        self.kills += 1
        records = list(journal.read())
        if records:
            self._finish(*records[-1], journal)

    def _finish(self, step: Step, nonce: bytes, journal: Journal) -> None:
        """Make the call again that the kill may have cut off."""
        if step not in (Step.DECIDING, Step.SETTLING):
            return
        now = self._store.now()
        decision = self._store.decide(plan_of(nonce))
        assert decision.receipt is not None
        if step is Step.DECIDING:
            self.repeated[step, decision.reply.now < now] += 1
            journal.write(Step.ADMITTED, nonce)
        else:
            self.repeated[step, not self._store.settle(decision.receipt, outcome_of(nonce))] += 1
            journal.write(Step.SETTLED, nonce)


_SERVER.set_forkserver_preload(["tests.faults.worker", "authguard.stores.redis", "authguard.stores.sqlite"])
