"""Values made from drafts: equal to those made field by field, as frozen, and with every field there is."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from authguard.events import Decided
from authguard.guard.report import report
from authguard.limits import Counter, Limit, Plan
from authguard.policy import Layer, Policy, Scope, Subject
from authguard.stores.resilient import Ruling, Source

COUNTERS = (Counter("everybody", bytes(16), Limit(5, 60_000_000)),)
VALUES = {Scope.IP: "192.0.2.1/32"}
PLAN = Plan.drawn(COUNTERS, b"client.", b"gs", 9)
WHO = Subject.typed(VALUES, "c", "a", "own", ("fact",))
ONE = Policy("p", (Layer("l", (Scope.IP,), Limit(5, 60_000_000)),))
PAIRS = [
    (PLAN, Plan(COUNTERS, b"client.", b"gs", 9, PLAN.nonce)),
    (WHO, Subject(VALUES, "c", "a", own_id="own", facts=("fact",))),
    (Subject.typed(VALUES, "c"), Subject(VALUES, "c")),
    (report(ONE, WHO, Ruling(None, Source.OPEN), 0.1), Decided("p", "allow", (), (), False, 0.1, "open", ("fact",))),
]


@pytest.mark.parametrize(("made", "by_field"), PAIRS)
def test_they_are_the_same_values(made: Any, by_field: Any) -> None:
    assert type(made) is type(by_field)
    assert made == by_field
    assert all(hasattr(made, field.name) for field in fields(made))
    with pytest.raises(FrozenInstanceError):
        setattr(made, fields(made)[0].name, None)
