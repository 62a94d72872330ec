"""The naive counters: each makes its one mistake, and the one they are made from makes none of theirs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from demo_app.naive.clearing import ClearingCounter
from demo_app.naive.extending import ExtendingCounter
from demo_app.naive.hand_counter import Bucket, HandCounter
from demo_app.naive.hits import Log, PrivateHits
from demo_app.naive.late_count import LateCounter
from demo_app.naive.lru import ROOM, CachedHits
from demo_app.naive.one_block import OneBlockCounter
from demo_app.naive.peer import network
from demo_app.naive.window import WindowCounter

BUCKET = Bucket("login account alice", amount=2, window=10.0)
ADDRESS = Bucket("login address here", amount=3, window=10.0)
BOTH = (BUCKET, ADDRESS)


@pytest.fixture
def log() -> Iterator[Log]:
    """Return an empty log, open."""
    with PrivateHits().open() as opened:
        yield opened


def counter(kind: type[HandCounter]) -> HandCounter:
    """Return a counter with the default numbers."""
    return kind(PrivateHits(), None)


def fail(naive: HandCounter, log: Log, now: float) -> bool:
    """Make a wrong guess at ``now``; return whether it was let through."""
    if naive.wait(log, BUCKET, now) > 0:
        naive.deny(log, BOTH, now)
        return False
    naive.admit(log, BOTH, now)
    naive.fail(log, BOTH, now)
    return True


def test_the_hand_written_counter_counts_failures_in_a_sliding_window(log: Log) -> None:
    naive = counter(HandCounter)
    assert [fail(naive, log, now) for now in (108.0, 109.0, 110.5, 117.9, 118.1)] == [True, True, False, False, True]
    assert naive.wait(log, BUCKET, 118.5) == pytest.approx(0.5)


def test_the_window_counter_lets_two_budgets_through_at_an_edge(log: Log) -> None:
    naive = counter(WindowCounter)
    assert [fail(naive, log, now) for now in (108.0, 109.0, 109.5, 110.5, 111.0, 111.5)] == [
        True, True, False, True, True, False,
    ]  # fmt: skip


def test_the_extending_counter_never_ends_for_who_knocks(log: Log) -> None:
    assert [fail(counter(ExtendingCounter), log, 100.0 + 4 * knock) for knock in range(10)] == [True, True] + [
        False
    ] * 8


def test_the_hand_written_counter_forgets_who_knocks(log: Log) -> None:
    assert [fail(counter(HandCounter), log, 100.0 + 4 * knock) for knock in range(6)] == [
        True, True, False, True, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize(("kind", "charged"), [(HandCounter, 1), (LateCounter, 0)])
def test_only_the_late_counter_leaves_an_attempt_under_way_uncharged(
    log: Log, kind: type[HandCounter], charged: int
) -> None:
    counter(kind).admit(log, BOTH, 100.0)
    assert len(log.times(BUCKET.key, 0.0)) == charged


@pytest.mark.parametrize(("kind", "left"), [(HandCounter, [100.0, 101.0]), (ClearingCounter, [])])
def test_only_the_clearing_counter_forgives_the_address(log: Log, kind: type[HandCounter], left: list[float]) -> None:
    naive = counter(kind)
    fail(naive, log, 100.0)
    fail(naive, log, 101.0)
    naive.admit(log, BOTH, 102.0)
    naive.succeed(log, BOTH, 102.0)
    assert log.times(ADDRESS.key, 0.0) == left


def test_the_counter_of_one_block_never_blocks_again(log: Log) -> None:
    naive = counter(OneBlockCounter)
    assert [fail(naive, log, now) for now in (100.0, 101.0, 105.0, 111.1, 111.2, 111.3)] == [
        True, True, False, True, True, True,
    ]  # fmt: skip


def test_the_cache_forgets_whoever_was_not_seen_for_longest() -> None:
    with CachedHits().open() as cache:
        for key in range(ROOM):
            cache.add(f"{key}", 1.0)
        cache.add("0", 2.0)
        cache.add("fresh", 3.0)
        assert cache.times("0", 0.0) == [1.0, 2.0]
        assert cache.times("1", 0.0) == []
        cache.remove("1", 1.0)
        assert cache.times("2", 0.0) == [1.0]


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2a00:1450:1:2:3:4:5:6", "2a00:1450:1:2::/64"),
        ("2a00:1450:1:2:ffff::", "2a00:1450:1:2::/64"),
        ("unknown", "unknown"),
    ],
)
def test_the_hand_written_counter_counts_ipv6_by_the_customer(address: str, counted: str) -> None:
    assert network(address) == counted
