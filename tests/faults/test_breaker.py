"""The breaker: opens after faults in a row, lets one call probe, and believes nobody but the probe."""

from __future__ import annotations

import os
import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from authguard.stores.breaker import Breaker, Pass


class Seconds:
    """A monotonic clock that stands still."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def breaker(seconds: Seconds) -> Breaker:
    return Breaker(faults=3, rest=1.0, clock=seconds)


def enter(breaker: Breaker) -> Pass:
    leave = breaker.enter()
    assert leave is not None
    return leave


def open_up(breaker: Breaker) -> None:
    told = [breaker.fail(enter(breaker)) for _ in range(3)]
    assert told == [False, False, True]
    assert not breaker.closed


def test_stays_closed_while_faults_are_not_in_a_row(breaker: Breaker) -> None:
    for _ in range(10):
        assert not breaker.fail(enter(breaker))
        assert not breaker.fail(enter(breaker))
        assert not breaker.succeed(enter(breaker))
    assert breaker.closed


def test_turns_everybody_away_until_it_has_rested(breaker: Breaker, seconds: Seconds) -> None:
    open_up(breaker)
    assert breaker.enter() is None
    seconds.at += 0.999
    assert breaker.enter() is None
    seconds.at += 0.001
    assert breaker.enter() is not None


def test_lets_one_call_probe_and_closes_when_it_succeeds(breaker: Breaker, seconds: Seconds) -> None:
    open_up(breaker)
    seconds.at += 1
    probe = enter(breaker)
    assert [breaker.enter() for _ in range(3)] == [None] * 3
    assert breaker.succeed(probe)
    assert breaker.closed
    assert not breaker.succeed(enter(breaker))


def test_rests_again_when_the_probe_fails(breaker: Breaker, seconds: Seconds) -> None:
    open_up(breaker)
    for _ in range(5):
        seconds.at += 1
        assert not breaker.fail(enter(breaker))
        assert breaker.enter() is None
        seconds.at += 0.999
        assert breaker.enter() is None
        seconds.at -= 0.999


def test_a_probe_that_tells_nothing_is_replaced(breaker: Breaker, seconds: Seconds) -> None:
    open_up(breaker)
    seconds.at += 1
    breaker.abandon(enter(breaker))
    assert breaker.succeed(enter(breaker))


def test_calls_that_began_before_it_opened_change_nothing(breaker: Breaker, seconds: Seconds) -> None:
    late, later, latest = enter(breaker), enter(breaker), enter(breaker)
    open_up(breaker)
    assert not breaker.succeed(late)
    assert not breaker.closed
    seconds.at += 0.9
    breaker.fail(later)
    seconds.at += 0.1
    assert breaker.succeed(enter(breaker))
    for _ in range(9):
        breaker.fail(latest)
    assert breaker.closed


def test_exactly_one_of_many_threads_probes(breaker: Breaker, seconds: Seconds) -> None:
    together = Barrier(16)

    def race(_: int) -> Pass | None:
        together.wait(10)
        return breaker.enter()

    with ThreadPoolExecutor(16) as pool:
        for _ in range(50):
            open_up(breaker)
            seconds.at += 1
            probes = [leave for leave in pool.map(race, range(16)) if leave is not None]
            assert len(probes) == 1
            assert breaker.succeed(probes[0])


def test_one_of_many_threads_hears_that_it_opened(breaker: Breaker) -> None:
    leaves = [enter(breaker) for _ in range(16)]
    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(breaker.fail, leaves)) == 1


def test_a_forked_child_does_not_wait_for_the_probe_of_its_parent(breaker: Breaker, seconds: Seconds) -> None:
    open_up(breaker)
    seconds.at += 1
    enter(breaker)
    with breaker._lock, warnings.catch_warnings():  # as another thread would hold it at the moment of the fork
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
        if child == 0:
            leave = breaker.enter()
            os._exit(0 if leave is not None and breaker.succeed(leave) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not breaker.closed
