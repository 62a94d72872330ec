"""Numbers: what each way of counting answers, worked out by hand.

The formulas are those of the files in ``authguard.limits``. Times are in tenths of a second from the first charge.
"""
# ruff: noqa: S101 - these are tests

from __future__ import annotations

from typing import NamedTuple

import pytest

from authguard.limits import Algorithm, Limit
from authguard.testing.harness import StoreUnderTest
from authguard.testing.plans import MINUTE, attempts, left, new_key, plan, spend

TENTH = 100_000
SECOND = 10 * TENTH


class Step(NamedTuple):
    """At ``at``, ``tries`` come, of which ``pass_`` pass, ``left`` is left, and ``wait`` is asked of the next."""

    at: int
    tries: int
    pass_: int
    left: int
    wait: int = 0


def bucket(amount: int, period: int, burst: int, algorithm: Algorithm = Algorithm.TOKEN_BUCKET) -> Limit:
    """Return a limit that holds ``burst`` and refills ``amount`` a ``period`` of tenths."""
    return Limit(amount, period * TENTH, algorithm, burst)


WORKED = {
    # Tokens left: 10 - 10 = 0; 0.4 s x 5 = 2, one goes; 1 + 0.6 x 5 = 4, all go; 0.5 at 1.1 s, 1.5 at 1.3 s.
    "token bucket of 10, 5/s": (
        bucket(5, 10, 10),
        [Step(0, 12, 10, 0, 2), Step(4, 1, 1, 1), Step(10, 5, 4, 0, 2), Step(11, 1, 0, 0, 1), Step(13, 1, 1, 0, 1)],
    ),
    "token bucket of 20, 2/s": (bucket(2, 10, 20), [Step(0, 25, 20, 0, 5)]),
    "token bucket of 50, 10/s": (bucket(10, 10, 50), [Step(0, 60, 50, 0, 1), Step(20, 30, 20, 0, 1)]),
    "leaky bucket of 10, 5/s": (
        bucket(5, 10, 10, Algorithm.LEAKY_BUCKET),
        [Step(0, 12, 10, 0, 2), Step(4, 1, 1, 1), Step(10, 5, 4, 0, 2), Step(11, 1, 0, 0, 1), Step(13, 1, 1, 0, 1)],
    ),
    # T = period / amount, tau = (burst - 1) x T; the next is admitted at TAT - tau.
    "GCRA 10/min, burst 3": (
        bucket(10, 600, 3, Algorithm.GCRA),
        [Step(0, 4, 3, 0, 60), Step(30, 1, 0, 0, 30), Step(60, 1, 1, 0, 60)],
    ),
    "GCRA 30/min, burst 5": (bucket(30, 600, 5, Algorithm.GCRA), [Step(0, 6, 5, 0, 20), Step(20, 1, 1, 0, 20)]),
    "GCRA 20/min, burst 4": (bucket(20, 600, 4, Algorithm.GCRA), [Step(0, 6, 4, 0, 30), Step(30, 1, 1, 0, 30)]),
    # The window that began at 0 ends at 60 s, whenever in it the charges came.
    "fixed window": (
        Limit(100, MINUTE, Algorithm.FIXED_WINDOW),
        [Step(599, 101, 100, 0, 1), Step(600, 101, 100, 0, 600)],
    ),
    # The same burst as above: the next is admitted one window after the first.
    "sliding log": (Limit(100, MINUTE), [Step(599, 101, 100, 0, 600), Step(600, 1, 0, 0, 599), Step(1199, 1, 1, 99)]),
    # 1st at once, 2nd after 60 s, 3rd after 300 s, then a day each.
    "backoff": (
        Limit.backoff(0, 60 * SECOND, 300 * SECOND, 86_400 * SECOND),
        [
            Step(0, 2, 1, 0, 600),
            Step(600, 2, 1, 0, 3000),
            Step(3599, 1, 0, 0, 1),
            Step(3600, 2, 1, 0, 864_000),
            Step(867_600, 2, 1, 0, 864_000),
        ],
    ),
}
# previous window's count, this window's, how far into it in per mille, and floor(limit - weighted count).
SLIDING_COUNTER = {
    "90 x 75 % + 20 = 87.5 of 100": (100, 90, 20, 250, 12),
    "90 x 91.67 % + 30 = 112.5 of 100": (100, 90, 30, 83, 0),
    "60 x 70 % + 45 = 87 of 100": (100, 60, 45, 300, 13),
    "180 x 60 % + 50 = 158 of 200": (200, 180, 50, 400, 42),
}


def align(tested: StoreUnderTest) -> None:
    """Move the clock to the beginning of a window."""
    tested.advance(MINUTE - tested.store.now() % MINUTE)


class Numbers:
    """Tests of worked numbers."""

    @pytest.mark.parametrize("name", WORKED)
    def test_worked_numbers(self, tested: StoreUnderTest, name: str) -> None:
        limit, steps = WORKED[name]
        counter = attempts(limit)
        align(tested)
        now = 0
        for step in steps:
            tested.advance((step.at - now) * TENTH)
            now = step.at
            passed = [tested.store.decide(plan(counter)).allowed for _ in range(step.tries)]
            assert passed == [True] * step.pass_ + [False] * (step.tries - step.pass_)
            assert left(tested.store, counter) == step.left
            assert tested.store.peek(plan(counter)).reply.waits == (step.wait * TENTH,)

    @pytest.mark.parametrize("name", SLIDING_COUNTER)
    def test_worked_numbers_of_the_sliding_counter(self, tested: StoreUnderTest, name: str) -> None:
        amount, previous, current, into, remaining = SLIDING_COUNTER[name]
        key = new_key()
        limit = Limit(amount, MINUTE, Algorithm.SLIDING_COUNTER)
        align(tested)
        spend(tested.store, attempts(limit, key), previous)
        tested.advance(MINUTE + MINUTE * into // 1000)
        # What came under a larger limit counts in full under the smaller one.
        spend(tested.store, attempts(Limit(2 * amount, MINUTE, Algorithm.SLIDING_COUNTER), key), current)
        assert left(tested.store, attempts(limit, key)) == remaining
        assert tested.store.decide(plan(attempts(limit, key))).allowed is (remaining > 0)
