"""The worked numbers of every algorithm, from the table that other implementations can be held to as well."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from authguard.limits import Algorithm, Limit
from tests.limits.naive import LEFT
from tests.limits.tally import SECOND, START, Tally

TABLE = Path(__file__).parent.parent / "vectors" / "limits.json"
VECTORS = json.loads(TABLE.read_text())["vectors"]


def limit_of(told: dict[str, Any]) -> Limit:
    """Return the limit that a vector tells."""
    if "gaps" in told:
        return Limit.backoff(*told["gaps"])
    return Limit(told["amount"], told["period"], Algorithm(told["algorithm"]), told.get("burst", 0))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_worked_numbers(vector: dict[str, Any]) -> None:
    limit = limit_of(vector["limit"])
    tally = Tally(limit)
    for charges in vector["given"]:
        tally.limit = Limit(10 * limit.amount, limit.period, limit.algorithm)
        assert tally.take(START + charges["at"], charges["count"])
    tally.limit = limit
    for step in vector["steps"]:
        now = START + step["at"]
        admitted = sum(tally.take(now) for _ in range(step["tries"]))
        assert (admitted, tally.left(now), tally.wait(now)) == (step["admitted"], step["left"], step["wait"])


def test_every_plain_algorithm_has_worked_numbers() -> None:
    assert {vector["limit"]["algorithm"] for vector in VECTORS} == set(LEFT)


def test_twice_the_amount_passes_a_window_s_boundary_and_not_the_log() -> None:
    last_moment, next_moment = START + 60 * SECOND - 1, START + 60 * SECOND
    passed = {}
    for algorithm in (Algorithm.FIXED_WINDOW, Algorithm.SLIDING_COUNTER, Algorithm.SLIDING_LOG):
        tally = Tally(Limit(100, 60 * SECOND, algorithm))
        passed[algorithm] = sum(tally.take(now) for now in (last_moment, next_moment) for _ in range(100))
    assert passed == {Algorithm.FIXED_WINDOW: 200, Algorithm.SLIDING_COUNTER: 100, Algorithm.SLIDING_LOG: 100}
