"""Replays: a reply comes back from its bytes as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from authguard.limits.decision import Reply
from authguard.stores.replay import as_settled, is_settled, pack_reply, unpack_reply

NUMBERS = st.integers(-1, 2**62)


@given(st.booleans(), NUMBERS, st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), max_size=20))
def test_a_reply_comes_back_as_it_was(joined: bool, now: int, counters: list[tuple[int, int, int]]) -> None:
    waits, remaining, stamps = (tuple(counter[i] for counter in counters) for i in range(3))
    reply = Reply(True, joined, now, waits, remaining, stamps, (0,) * len(counters))
    packed = pack_reply(reply)
    assert unpack_reply(packed) == reply
    assert not is_settled(packed)
    assert is_settled(as_settled(packed))
    assert unpack_reply(as_settled(packed)) == reply
