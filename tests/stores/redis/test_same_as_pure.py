"""The scripts and the pure engine give the same numbers for everything, whatever happens in whatever order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from authguard.clock import ManualClock
from authguard.limits import Algorithm, Counter, Counts, Limit, Mode, Outcome, Plan
from authguard.limits.plan import COUNTING_FAILURES
from authguard.stores.memory import MemoryStore
from tests.servers.redis import RedisServer
from tests.stores.redis.stopped_clock import StoppedRedis

MINUTE = 60_000_000
KEYS = 6
PERIODS = (7, 1_000, MINUTE, 15 * MINUTE + 1)
STEPS = (0, 1, 6, 7, 999, 1_000, 20_000_001, MINUTE - 1, MINUTE, 5 * MINUTE, 15 * MINUTE, -1, -1_000, -MINUTE, -60 * MINUTE)
CLIENTS = (bytes(7), b"client1", b"client2")
GUESSES = (b"\0\0", b"g1", b"g2", b"\x01\0")
MEMBERS = (b"member1", b"member2", b"member3", b"client1")


def key(number: int, algorithm: Algorithm, counts: Counts, retired: int = 0) -> bytes:
    """Return the key of a counter, which contains its algorithm and what it counts, as the policy's keys do."""
    return f"{number}{retired}{algorithm[:9]}{counts[:5]}".encode().ljust(16, b".")[:16]


@st.composite
def limits(draw: st.DrawFn) -> Limit:
    algorithm = draw(st.sampled_from(Algorithm))
    if algorithm is Algorithm.BACKOFF:
        return Limit.backoff(*draw(st.lists(st.sampled_from((0, *PERIODS)), min_size=1, max_size=4)))
    bursting = algorithm in (Algorithm.GCRA, Algorithm.LEAKY_BUCKET, Algorithm.TOKEN_BUCKET)
    burst = draw(st.integers(0, 4)) if bursting else 0
    return Limit(draw(st.integers(1, 5)), draw(st.sampled_from(PERIODS)), algorithm, burst)


@st.composite
def counters(draw: st.DrawFn, number: int) -> Counter:
    limit = draw(limits())
    failing = limit.algorithm in COUNTING_FAILURES and draw(st.booleans())
    counts = Counts.FAILURES if failing else Counts.ATTEMPTS
    logging = failing and limit.algorithm is Algorithm.SLIDING_LOG
    distinct = limit.algorithm is Algorithm.DISTINCT
    retired = draw(st.integers(0, 2)) if draw(st.booleans()) else 0
    return Counter(
        layer=f"layer{number}",
        key=key(number, limit.algorithm, counts),
        limit=limit,
        cost=1 if distinct else draw(st.sampled_from((1, 1, 1, 2, 6))),
        counts=counts,
        mode=draw(st.sampled_from((Mode.ENFORCE, Mode.ENFORCE, Mode.STEP_UP, Mode.SHADOW))),
        member=draw(st.sampled_from(MEMBERS)) if distinct else bytes(7),
        joins=logging and draw(st.booleans()),
        clears=logging and draw(st.booleans()),
        previous=tuple(key(number, limit.algorithm, counts, old + 1) for old in range(retired)),
    )


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Plans over few keys; some name a key by itself that for others is a retired one."""
    numbers = draw(st.lists(st.integers(1, KEYS), unique=True, max_size=5))
    chosen = [draw(counters(number)) for number in numbers]
    if draw(st.booleans()):
        chosen = [retire(counter) for counter in chosen]
    return Plan(
        tuple(chosen),
        client=draw(st.sampled_from(CLIENTS)),
        guess=draw(st.sampled_from(GUESSES)),
        hold=draw(st.sampled_from((0, 1, MINUTE, 5 * MINUTE))),
        nonce=draw(st.integers(0, 40)).to_bytes(16, "big"),
    )


def retire(counter: Counter) -> Counter:
    """Return the counter as it was before the pepper changed: under the key that is a previous one now."""
    return Counter(
        counter.layer,
        key(int(counter.key[:1]), counter.limit.algorithm, counter.counts, 1),
        counter.limit,
        counter.cost,
        counter.counts,
        counter.mode,
        counter.member,
        counter.joins,
        counter.clears,
    )


Step = tuple[str, Plan, Outcome, int]
STORY = st.lists(
    st.tuples(
        st.sampled_from(("decide", "decide", "decide", "settle", "settle", "peek", "forget")),
        plans(),
        st.sampled_from(Outcome),
        st.sampled_from(STEPS),
    ),
    min_size=1,
    max_size=25,
)


class Twins:
    """The memory store and the Redis store, one clock for both; each call goes to both and must give the same."""

    def __init__(self, url: str, client: redis.Redis) -> None:
        self.clock = ManualClock()
        self.pure = MemoryStore(self.clock)
        self.scripts = StoppedRedis.at(url, self.clock, client)
        self.open: list[Plan] = []

    def start(self) -> None:
        self.pure.close()
        self.open = []
        self.clock.set(1_700_000_000_000_000)
        self.scripts.client.flushall()

    def play(self, step: Step) -> None:
        what, plan, outcome, elapsed = step
        self.clock.advance(elapsed)
        self.scripts.tell()
        if what == "settle" and self.open:
            self.settle(self.open[elapsed % len(self.open)], outcome)
        elif what == "peek":
            assert self.scripts.peek(plan) == self.pure.peek(plan)
        elif what == "forget":
            keys = [counter.key for counter in plan.counters]
            self.pure.forget(keys)
            self.scripts.forget(keys)
        else:
            mine, other = self.pure.decide(plan), self.scripts.decide(plan)
            assert other == mine
            if mine.receipt is not None:
                self.open.append(plan)

    def settle(self, plan: Plan, outcome: Outcome) -> None:
        # Decided again, the plan gives its receipt again: its nonce is known, or it is decided anew by both.
        mine, other = self.pure.decide(plan).receipt, self.scripts.decide(plan).receipt
        assert other == mine
        if mine is not None:
            assert self.scripts.settle(mine, outcome) == self.pure.settle(mine, outcome)


@pytest.fixture(scope="module")
def twins(server: RedisServer) -> Iterator[Twins]:
    with redis.Redis.from_url(server.url) as client:
        both = Twins(server.url, client)
        yield both
        both.scripts.close()


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(story=STORY)
def test_every_number_is_the_same(twins: Twins, story: list[Step]) -> None:
    twins.start()
    for step in story:
        twins.play(step)
