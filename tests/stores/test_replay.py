"""Replays: a record comes back from its bytes as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from authguard.limits.decision import Reply
from authguard.limits.record import Phase, Record
from authguard.stores.replay import pack_record, unpack_record

NUMBERS = st.integers(-1, 2**62)


@given(
    st.booleans(),
    NUMBERS,
    st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), max_size=20),
    st.sampled_from(Phase),
    NUMBERS,
)
def test_a_record_comes_back_as_it_was(
    joined: bool, now: int, counters: list[tuple[int, int, int]], phase: Phase, dispatched: int
) -> None:
    waits, remaining, stamps = (tuple(counter[i] for counter in counters) for i in range(3))
    record = Record(Reply(True, joined, now, waits, remaining, stamps, (0,) * len(counters)), phase, dispatched)
    packed = pack_record(record)
    assert unpack_record(packed) == record
    assert packed[0] == phase
