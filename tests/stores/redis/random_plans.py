"""Random plans: a small world of counters, so that stories told in it meet the same counters again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from authguard.limits import Algorithm, Counter, Counts, Limit, Mode, Plan
from authguard.limits.limit import BURSTING
from authguard.limits.plan import COUNTING_FAILURES

MINUTE = 60_000_000
PERIODS = (7, 1_000, MINUTE, 15 * MINUTE + 1)
ALGORITHMS = [algorithm for algorithm in Algorithm if algorithm is not Algorithm.BUDGET]
BUDGETS = [Algorithm.BUDGET, Algorithm.BUDGET, Algorithm.SLIDING_LOG, Algorithm.FIXED_WINDOW]
CLIENTS = (bytes(7), b"client1", b"client2", b"lient1\0")
"""The last is found in an entry of the second, but not where a client begins."""
GUESSES = (b"\0\0", b"g1", b"g2", b"\x01\0")
MEMBERS = (b"member1", b"member2", b"member3", b"member4", b"client1")


class World:
    """Four counters, each of which has a way of counting and a few limits that come and go."""

    def __init__(self, random: Random, algorithms: Sequence[Algorithm] = ALGORITHMS) -> None:
        self.random = random
        self.algorithms = algorithms
        self.period = random.choice(PERIODS)
        # On a grid, what was charged at different times expires at the very instant of a decision.
        self.regular = random.choice((0.0, 0.5, 1.0))
        self.ways = [self._way(number) for number in range(4)]

    def plan(self) -> Plan:
        """Return a plan over some of the counters."""
        random = self.random
        ways = random.sample(self.ways, random.randint(0, 4) if random.random() < 0.5 else 1)
        return Plan(
            tuple(self._counter(*way) for way in ways),
            client=random.choice(CLIENTS),
            guess=random.choice(GUESSES),
            hold=random.choice((0, 1, self.period, 5 * self.period)),
            nonce=random.randbytes(16),
            keep=random.choice((0, self.period)),
        )

    def step(self) -> int:
        """Return for how many microseconds nothing happens; sometimes the clock steps back."""
        period, random = self.period, self.random
        if random.random() < self.regular:
            return random.choice((0, period // 5, period // 5, 2 * period // 5))
        near = (0, 0, 0, 1, period // 5, period // 5, period // 3, period // 2 + 1)
        return random.choice(
            (*near, *near, period - 1, period, period + 1, 3 * period, -1, -(period // 3), -4 * period)
        )

    def _way(self, number: int) -> tuple[int, Algorithm, Counts, list[Limit]]:
        algorithm = self.random.choice(self.algorithms)
        counts = Counts.ATTEMPTS
        if algorithm in COUNTING_FAILURES and self.random.random() < 0.7:
            counts = Counts.FAILURES
        if algorithm is Algorithm.BUDGET and self.random.random() < 0.8:
            counts = Counts.RESERVATIONS
        limits = [self._limit(algorithm) for _ in range(self.random.choice((1, 1, 2, 3)))]
        return number, algorithm, counts, limits

    def _limit(self, algorithm: Algorithm) -> Limit:
        random = self.random
        period = self.period if random.random() < 0.7 else random.choice(PERIODS)
        if algorithm is Algorithm.BACKOFF:
            return Limit.backoff(
                *(random.choice((0, period // 5, period // 2, period)) for _ in range(random.randint(1, 4)))
            )
        return Limit(random.randint(1, 7), period, algorithm, random.randint(0, 4) if algorithm in BURSTING else 0)

    def _counter(self, number: int, algorithm: Algorithm, counts: Counts, limits: list[Limit]) -> Counter:
        random, distinct = self.random, algorithm is Algorithm.DISTINCT
        logging = counts is Counts.FAILURES and not distinct
        # The key that is the counter's own for one plan is for another the key under a retiring pepper.
        keys = [f"{number}{pepper}{algorithm:.9}{counts:.5}".encode().ljust(16, b".") for pepper in "abc"]
        retiring = random.choice((0, 0, 1, 2))
        own = random.randint(0, 2 - retiring)
        plain = Counter(
            f"layer{number}",
            keys[own],
            random.choice(limits),
            counts=counts,
            member=MEMBERS[0] if distinct else bytes(7),
        )
        return replace(
            plain,
            cost=1 if distinct else random.choice((1, 1, 1, 1, 2, 3, 9)),
            mode=random.choice((Mode.ENFORCE, Mode.ENFORCE, Mode.STEP_UP, Mode.SHADOW)),
            member=random.choice(MEMBERS) if distinct else bytes(7),
            joins=logging and random.random() < 0.5,
            clears=(logging or counts is Counts.RESERVATIONS) and random.random() < 0.5,
            charges=random.random() < 0.9,
            previous=tuple(keys[own + 1 : own + 1 + retiring]),
        )
