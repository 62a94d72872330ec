"""Rounds: every subject is measured as often as asked, in turn, and a busy round does not count as a slow subject."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.rounds import WARM_UP, Call, measure, spread


def test_p50_is_the_quietest_rounds_median_and_p99_is_of_all() -> None:
    quiet, busy = [1_000, 2_000, 3_000], [9_000, 9_000, 90_000]
    found = spread([busy, quiet], [7.0, 5.0])
    assert (found.p50, found.p99, found.used) == (2.0, 90.0, 5.0)


def test_subjects_take_turns() -> None:
    called: list[str] = []

    def prepare(name: str, calls: int) -> Iterator[Call]:
        return (partial(called.append, name) for _ in range(calls))

    found = measure({name: partial(prepare, name) for name in "ab"}, rounds=2, calls=5)
    assert list(found) == ["a", "b"]
    assert "".join(called) == ("a" * (5 + WARM_UP) + "b" * (5 + WARM_UP)) * 2


def test_what_a_server_used_is_of_one_call_and_of_what_is_counted() -> None:
    used = [0.0]

    def work() -> None:
        used[0] += 3.0

    found = measure({"work": lambda calls: [work] * calls}, lambda: used[0], rounds=2, calls=4)
    assert found["work"].used == 3.0
