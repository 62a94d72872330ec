"""Limits as values: what they parse, how they read, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from authguard.durations import LONGEST
from authguard.limits import Algorithm, Limit
from tests.limits.tally import SECOND


@pytest.mark.parametrize("text", ["5/15m", "100/1m", "1/1h30m", "20/1d"])
def test_reads_back_what_it_writes(text: str) -> None:
    assert str(Limit.parse(text)) == text
    assert Limit.parse(f" {text} ") == Limit.parse(text)


def test_a_burst_is_the_amount_unless_given() -> None:
    assert Limit.parse("60/1m", Algorithm.GCRA).capacity == 60
    assert Limit.parse("60/1m", Algorithm.GCRA, 10).capacity == 10
    assert str(Limit.parse("60/1m", Algorithm.GCRA, 10)) == "60/1m burst 10"


def test_a_backoff_reads_as_its_gaps() -> None:
    limit = Limit.backoff(0, 60 * SECOND, 300 * SECOND)
    assert (str(limit), limit.amount, limit.period) == ("backoff 0s, 1m, 5m", 1, 300 * SECOND)
    assert Limit.backoff(0).period == 1


@pytest.mark.parametrize("text", ["", "5", "5/", "/1m", "0/1m", "5/0s", "-1/1m", "5/1y", "5/500d", "٥/1m", "5/1m x"])
def test_refuses_what_is_no_limit(text: str) -> None:
    with pytest.raises(ValueError, match=r"limit|duration"):
        Limit.parse(text)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"amount": 0, "period": 1}, "amount of at least 1"),
        ({"amount": 1, "period": 0}, "longer than zero"),
        ({"amount": 1, "period": LONGEST + 1}, "at most 400 days"),
        ({"amount": 2**53, "period": 1}, "too large"),
        ({"amount": 1, "period": 2**20, "burst": 2**33, "algorithm": Algorithm.GCRA}, "too large"),
        ({"amount": 1, "period": 1, "burst": 2}, "burst belongs to"),
        ({"amount": 1, "period": 1, "gaps": (1,)}, "gaps belong to backoff"),
        ({"amount": 1, "period": 1, "algorithm": Algorithm.BACKOFF}, "gaps belong to backoff"),
        ({"amount": 1, "period": 1, "algorithm": Algorithm.BACKOFF, "gaps": (-1,)}, "negative"),
        ({"amount": 2, "period": 5, "algorithm": Algorithm.BACKOFF, "gaps": (5,)}, "longest gap"),
        ({"amount": 1, "period": 4, "algorithm": Algorithm.BACKOFF, "gaps": (0, 5)}, "longest gap"),
    ],
)
def test_refuses_what_it_could_not_count(told: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Limit(**told)


def test_refuses_a_backoff_without_gaps_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="backoff needs them"):
        Limit.backoff()
