"""The odds: the worst case that a policy admits, held to the published figures and to a count on a real store."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from authguard.clock import ManualClock
from authguard.durations import parse_duration
from authguard.limits import Algorithm, Counts, Limit, Mode, Plan
from authguard.limits.plan import Counter
from authguard.policy import PRESETS, Lane, Layer, Policy, Scope
from authguard.policy.odds import DAY, YEAR, odds_of
from authguard.stores.memory import MemoryStore


def layer(name: str, limit: str, mode: Mode = Mode.STEP_UP, lane: Lane = Lane.STRANGERS) -> Layer:
    return Layer(name, (Scope.ID,), Limit.parse(limit), Counts.FAILURES, mode, lane)


def guesses(*layers: Layer) -> tuple[int | None, int | None]:
    odds = odds_of(Policy("p", layers))
    return odds.a_day, odds.a_year


def test_the_shipped_codes_have_the_published_odds() -> None:
    odds = odds_of(PRESETS["otp-verify"])
    assert (odds.a_day, odds.a_year) == (20, 7300)
    assert odds.takeover == pytest.approx(0.0073, abs=0.0001)
    assert odds.per_million == pytest.approx(7273, abs=1)
    app = odds_of(PRESETS["second-factor"])
    assert (app.a_day, app.a_year) == (20, 100)
    assert app.takeover == pytest.approx(0.0003, abs=0.00001)
    assert odds_of(replace(PRESETS["otp-verify"], digits=8)).takeover == pytest.approx(0.000073, abs=0.000001)


def test_a_password_has_no_odds_and_nothing_bounded_is_certain() -> None:
    assert odds_of(PRESETS["login"]).takeover is None
    free = Policy("p", (Layer("address", (Scope.IP,), Limit.parse("1/1d")),), digits=6)
    assert (odds_of(free).a_day, odds_of(free).takeover) == (None, 1.0)


def test_solved_challenges_open_what_steps_up_and_have_a_budget_of_their_own() -> None:
    step, challenged = layer("step", "5/1d"), layer("challenged", "3/1d", Mode.ENFORCE, Lane.CHALLENGED)
    assert guesses(step) == (None, None)
    assert guesses(step, challenged) == (8, 8 * 365)
    assert guesses(step, challenged, layer("hard", "6/1d", Mode.ENFORCE)) == (6, 6 * 365)
    assert guesses(layer("hard", "6/1d", Mode.ENFORCE), layer("shadow", "1/1d", Mode.SHADOW)) == (6, 6 * 365)


LIMITS = [
    Limit.parse("3/7h"),
    Limit.parse("3/7h", Algorithm.FIXED_WINDOW),
    Limit.parse("3/7h", Algorithm.SLIDING_COUNTER),
    Limit.parse("3/7h", Algorithm.TOKEN_BUCKET, burst=5),
    Limit.parse("3/7h", Algorithm.LEAKY_BUCKET),
    Limit.parse("3/7h", Algorithm.GCRA, burst=2),
    Limit.backoff(0, parse_duration("60s"), parse_duration("5m"), parse_duration("9h")),
    Limit.backoff(parse_duration("5h")),
]


@pytest.mark.parametrize("limit", LIMITS, ids=str)
@pytest.mark.parametrize("start", ["1ms", "3h", "6h59m"])
def test_nobody_gets_more_out_of_a_store_than_the_odds_say(limit: Limit, start: str) -> None:
    """Spend a day, begun at different points of a window, on charging whenever a real store admits it."""
    clock = ManualClock(YEAR // DAY * DAY * 50 + parse_duration(start))
    store, until, admitted = MemoryStore(clock), clock.now() + DAY, 0
    while clock.now() < until:
        decision = store.decide(Plan((Counter("l", b"k" * 16, limit),)))
        admitted += decision.allowed
        # Attackers come back the moment that they may.
        wait: Any = 0 if decision.allowed else decision.retry_after
        clock.advance(wait)
    bound = odds_of(Policy("p", (Layer("l", (Scope.ID,), limit),))).a_day
    assert bound is not None
    # Close, too: a window more for those that begin when they like, and one for what the sliding counter estimates.
    assert bound - 2 * limit.amount <= admitted <= bound
