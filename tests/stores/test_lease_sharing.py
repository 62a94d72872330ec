"""Leases among threads and forks, and as many as a process may hold."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from authguard.clock import ManualClock
from authguard.limits import Algorithm, Limit
from authguard.stores.lease import Leases
from authguard.stores.leasing import LeasingStore
from authguard.stores.memory import MemoryStore
from authguard.testing.plans import attempts, left, plan
from tests.stores.lease_site import LOOSE, Site, loose


def test_threads_share_a_lease_and_use_each_unit_once() -> None:
    site, big = Site(), loose(Limit.parse("500/1h", Algorithm.FIXED_WINDOW), lease=7)
    full = attempts("1/1h")
    site.store.decide(plan(full))

    def ask(number: int) -> bool:
        others = () if number % 3 else (full if number % 2 else attempts(),)
        return site.here.decide(plan(big, *others, hold=0)).allowed

    with ThreadPoolExecutor(16) as threads:
        admitted = sum(threads.map(ask, range(1500)))
    while site.here.decide(plan(big, hold=0)).allowed:
        admitted += 1
    # What a lease still held while others were charged one by one is served in the end: none is lost, none used twice.
    assert 500 - 16 * big.lease <= admitted <= 500


def test_a_forked_child_starts_without_leases() -> None:
    leases, big = Leases(), loose()
    store = LeasingStore(MemoryStore(), leases)
    store.decide(plan(big, hold=0))
    assert len(leases) == 1
    child = os.fork()
    if not child:
        os._exit(len(leases))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(leases) == 1


def test_at_its_bound_a_process_takes_no_more_leases_until_one_has_ended() -> None:
    clock = ManualClock()
    store, leases = MemoryStore(clock), Leases(clock.now, most=2)
    leasing, counters = LeasingStore(store, leases), [loose() for _ in range(3)]
    for counter in counters:
        leasing.decide(plan(counter, hold=0))
    assert (len(leases), [left(store, counter) for counter in counters]) == (2, [990, 990, 999])
    clock.advance(LOOSE.period)
    leasing.decide(plan(counters[2], hold=0))
    assert (len(leases), left(store, counters[2])) == (2, 990)


def test_what_is_forgotten_is_leased_anew() -> None:
    site, big = Site(), loose()
    site.here.decide(plan(big, hold=0))
    assert site.here.forget([big.key]) == 1
    site.here.decide(plan(big, hold=0))
    assert left(site.store, big) == 990
    assert site.here.now() == site.clock.now()
    site.here.close()
    assert len(site.store) == 0
