"""SQLite's places: counters and nonces keep apart, even where two of them would stand in one row."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from authguard.limits import Outcome
from authguard.limits.plan import KEY_SIZE, NONCE_SIZE
from authguard.stores.sqlite import SQLiteStore
from authguard.stores.sqlite_rows import place, place_beside
from authguard.testing.plans import attempts, failures, left, plan
from tests.stores.harnesses import PATIENT

KEYS = st.binary(min_size=KEY_SIZE, max_size=KEY_SIZE)
NONCES = st.binary(min_size=NONCE_SIZE, max_size=NONCE_SIZE)
ONE, ITS_TWIN = bytes(NONCE_SIZE), b"\1" + bytes(NONCE_SIZE - 1)


@given(KEYS, KEYS, NONCES)
def test_a_nonce_is_never_in_a_counters_place(key: bytes, first: bytes, nonce: bytes) -> None:
    assert place(key) != place_beside(place(first), nonce)
    assert 0 <= place(key) < 1 << 63 > place_beside(place(first), nonce) > 0


def test_two_nonces_in_one_place_are_two_plans(tmp_path: Path) -> None:
    counter = attempts("5/1h")
    assert place_beside(place(counter.key), ONE) == place_beside(place(counter.key), ITS_TWIN)
    with closing(SQLiteStore(tmp_path / "store.db", deadline=PATIENT)) as store:
        for nonce in (ONE, ITS_TWIN, ITS_TWIN):
            assert store.decide(replace(plan(counter), nonce=nonce)).allowed
        assert left(store, counter) == 3


def test_a_receipt_does_not_settle_the_plan_in_its_place(tmp_path: Path) -> None:
    counter = failures("5/1h")
    with closing(SQLiteStore(tmp_path / "store.db", deadline=PATIENT)) as store:
        one, twin = (store.decide(replace(plan(counter), nonce=nonce)).receipt for nonce in (ONE, ITS_TWIN))
        assert one is not None
        assert twin is not None
        assert not store.settle(replace(one, at=twin.at), Outcome.SUCCESS)
        assert store.settle(twin, Outcome.SUCCESS)
        assert left(store, counter) == 4
