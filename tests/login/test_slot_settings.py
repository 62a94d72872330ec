"""How many slots there are: what may be set, and what the memory allows."""

from __future__ import annotations

import os

import pytest

from authguard.errors import ConfigurationError
from authguard.login.argon2_hasher import Argon2Hasher
from authguard.login.slots import Slots, count_hash_slots


def test_settings_that_make_no_sense_stop_the_start() -> None:
    for count, waiters, wait in [(0, 1, 1.0), (1, -1, 1.0), (1, 1, 5.1), (1, 1, -1.0)]:
        with pytest.raises(ConfigurationError):
            Slots(count, waiters=waiters, wait=wait)


def test_the_default_number_keeps_within_the_memory() -> None:
    assert count_hash_slots(19 * 1024**2) == max(4, min(26, 2 * len(os.sched_getaffinity(0))))
    assert count_hash_slots(64 * 1024**2) <= 8
    assert count_hash_slots(2 * 1024**3) == 1


def test_one_client_has_a_quarter_where_there_is_one_and_one_slot_where_there_is_none() -> None:
    assert [Slots(count).share for count in (1, 2, 3)] == [1, 1, 1]
    for count in range(4, 33):
        assert 1 <= Slots(count).share <= count / 4


@pytest.mark.parametrize("cores", [1, 2])
def test_a_small_machine_has_four_slots_so_that_nobody_has_more_than_a_quarter(
    cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(cores)))
    assert count_hash_slots(Argon2Hasher().memory) == 4
