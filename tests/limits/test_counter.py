"""Counters made from a checked one: equal to those made field by field, and as frozen."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from authguard.limits import Counter, Counts, Limit, Mode

MINUTE = 60_000_000
CHECKED = Counter(
    "account", bytes(16), Limit(5, MINUTE), counts=Counts.FAILURES, mode=Mode.STEP_UP, joins=True, clears=True
)
PLAIN = Counter("everybody", bytes(16), Limit(5000, MINUTE))


def test_it_is_the_same_counter_with_what_a_request_brings() -> None:
    made = CHECKED.under(b"k" * 16, 3, Mode.SHADOW, b"member.", (b"o" * 16,))
    by_field = Counter(
        "account", b"k" * 16, CHECKED.limit, 3, Counts.FAILURES, Mode.SHADOW, b"member.", True, True, True, (b"o" * 16,)
    )
    assert type(made) is Counter
    assert made == by_field
    assert hash(made) == hash(by_field)
    assert not made.timed
    assert not made.simple
    assert len(fields(Counter)) == 15, "a field was added: copy it, and say so here"


@pytest.mark.parametrize("checked", [replace(PLAIN, lease=2), replace(PLAIN, apart=True)])
def test_it_keeps_where_and_how_it_is_counted(checked: Counter) -> None:
    made = checked.under(b"k" * 16, 1, Mode.ENFORCE, bytes(7), ())
    assert made == replace(checked, key=b"k" * 16)
    assert made.timed
    assert made.simple


@pytest.mark.parametrize(("cost", "previous"), [(2, ()), (1, (b"o" * 16,))])
def test_what_a_request_brings_may_make_it_involved(cost: int, previous: tuple[bytes, ...]) -> None:
    made = PLAIN.under(b"k" * 16, cost, Mode.ENFORCE, bytes(7), previous)
    assert not made.simple
    assert not replace(PLAIN, cost=cost, previous=previous).simple


def test_it_is_frozen() -> None:
    made = CHECKED.under(b"k" * 16, 1, Mode.ENFORCE, bytes(7), ())
    with pytest.raises(FrozenInstanceError):
        made.cost = 2  # type: ignore[misc]
