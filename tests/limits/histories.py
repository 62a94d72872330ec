"""Histories: random limits and random calls, dense enough that boundaries are met all the time."""

from __future__ import annotations

from hypothesis import strategies as st

from authguard.limits import Algorithm, Limit
from authguard.limits.limit import BURSTING
from tests.limits.naive import LEFT

PERIODS = st.sampled_from([1, 2, 3, 7, 10, 12, 60])
AMOUNTS = st.integers(1, 6)
COSTS = st.sampled_from([1, 1, 1, 2, 3, 7])
STEPS = st.one_of(st.integers(0, 12), st.sampled_from([-1, -9, 60, 61, 119, 120, 121]))
CALLS = st.lists(st.tuples(STEPS, COSTS), min_size=1, max_size=25)
"""How far the clock moves before a charge of which cost is tried."""


@st.composite
def limits(draw: st.DrawFn, algorithm: Algorithm | None = None) -> Limit:
    """Draw a limit of one of the plain algorithms."""
    algorithm = algorithm or draw(st.sampled_from(list(LEFT)))
    if algorithm is Algorithm.BACKOFF:
        return Limit.backoff(*draw(st.lists(st.integers(0, 30), min_size=1, max_size=4)))
    burst = draw(st.integers(0, 6)) if algorithm in BURSTING else 0
    return Limit(draw(AMOUNTS), draw(PERIODS), algorithm, burst)
