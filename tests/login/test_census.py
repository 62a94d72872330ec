"""Different accounts are counted once for all processes, in bounded memory, and a flood doesn't bend their ratio."""

from __future__ import annotations

from authguard.clock import SECOND
from authguard.limits import Decision, Plan
from authguard.login.census import CAPACITY, Census, Headcount
from authguard.stores.memory import MemoryStore
from tests.guard.rig import DeadStore, Rig

WINDOW = 300.0


class Town(Rig):
    """Processes that take notes over one store."""

    def __init__(
        self, processes: int = 1, store: MemoryStore | None = None, windows: tuple[float, ...] = (WINDOW,)
    ) -> None:
        super().__init__(store=store)
        self.processes = [Census("login", windows, self.planner, self.resilient) for _ in range(processes)]
        self.tries = 0
        self.last = Headcount(0, 0)

    def note(
        self, name: str, succeeded: bool = False, process: int = 0, client: str = "", network: str = ""
    ) -> Headcount:
        """Have a process note an outcome, of a client and a network of its own unless named; return what stands."""
        self.tries += 1
        tag = self.planner.tag("detection", name)
        client = client or f"client {self.tries}"
        seen = self.processes[process].note(tag, client, network or client, succeeded, self.clock.now() / SECOND)
        self.last = seen.get(WINDOW, self.last)
        return self.last


class CountingStore(MemoryStore):
    """Keeps what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.plans: list[Plan] = []

    @property
    def asked(self) -> int:
        return len(self.plans)

    def decide(self, plan: Plan) -> Decision:
        self.plans.append(plan)
        return super().decide(plan)


def test_four_processes_count_together_and_an_account_once() -> None:
    town = Town(4)
    for number in range(20):
        town.note(f"victim{number}", process=number % 4)
    for number in range(20):
        town.note(f"victim{number}", process=(number + 1) % 4)
    assert town.last == Headcount(20, 0)


def test_who_comes_through_in_one_process_has_not_failed_in_another() -> None:
    town = Town(2)
    town.note("owner", process=0)
    town.note("owner", succeeded=True, process=1)
    assert town.note("owner", process=0) == Headcount(0, 1)


def test_a_login_counts_for_a_window() -> None:
    town = Town()
    town.note("owner", succeeded=True)
    town.clock.advance(round(WINDOW * SECOND) - 1)
    assert town.note("owner") == Headcount(0, 1)
    town.clock.advance(1)
    assert town.note("owner") == Headcount(1, 0)


def test_a_flood_of_made_up_names_is_bounded_and_keeps_the_ratio() -> None:
    town = Town(2)
    shares = []
    for number in range(12_000):
        town.clock.advance(SECOND // 100)
        seen = town.note(f"name{number}", succeeded=number % 5 == 0, process=number % 2)
        assert sum(seen) <= CAPACITY
        if number > 2_000:
            shares.append(seen.succeeding / sum(seen))
    assert 0.12 < min(shares) < max(shares) < 0.30


def test_a_larger_sample_takes_over_with_its_history() -> None:
    town = Town()
    for number in range(3 * CAPACITY):
        town.note(f"name{number}")
    assert town.last.failing > CAPACITY // 2


def test_after_a_flood_everybody_is_counted_again() -> None:
    town = Town(2)
    for number in range(5 * CAPACITY):
        town.note(f"name{number}", process=number % 2)
    town.clock.advance(round(WINDOW * SECOND))
    for number in range(60):  # some of them, while it is found out that there is room
        town.note(f"first{number}", process=number % 2)
    found = town.last.failing
    for number in range(60):
        town.note(f"person{number}", process=number % 2)
    assert town.last == Headcount(found + 60, 0)


def test_a_client_that_goes_on_is_noted_once_in_a_while_and_another_at_once() -> None:
    store = CountingStore()
    town = Town(store=store)
    for _ in range(10):
        town.note("victim", client="one")
    assert store.asked == 1
    # Not because somebody else did the same: the time it takes would tell (law 8).
    town.note("victim", client="other")
    town.note("victim", succeeded=True, client="one")
    assert store.asked == 3
    town.clock.advance(30 * SECOND)
    town.note("victim", client="one")
    assert store.asked == 4


def test_a_flood_asks_the_store_a_few_times_a_second() -> None:
    store = CountingStore()
    town = Town(store=store)
    for number in range(20 * CAPACITY):
        town.note(f"name{number}")
    before = store.asked
    for number in range(20 * CAPACITY, 40 * CAPACITY):
        town.note(f"name{number}")
    assert store.asked - before < 2 * CAPACITY


def test_a_network_tells_of_three_failing_accounts_at_a_time_and_of_all_that_come_through() -> None:
    town = Town(2, windows=(WINDOW, 3600.0))
    for number in range(20):
        town.note(f"victim{number}", process=number % 2, network="one")
    assert town.last == Headcount(3, 0)
    for number in range(10):
        town.note(f"person{number}", succeeded=True, process=number % 2, network="one")
    assert town.last == Headcount(3, 10)
    assert town.note("victim19", network="other") == Headcount(4, 10)
    town.clock.advance(round(WINDOW * SECOND))
    # The longer window is not over.
    assert town.note("victim19", network="one") == Headcount(0, 0)
    town.clock.advance(3600 * SECOND)
    assert town.note("victim19", network="one") == Headcount(1, 0)


def test_whom_a_network_has_told_of_goes_on_to_count() -> None:
    town = Town()
    for number in range(10):
        town.note(f"victim{number % 3}", network="one")
    assert town.note("victim0", succeeded=True, network="one") == Headcount(2, 1)


def test_decoys_take_the_place_of_nothing_in_networks_after_the_first() -> None:
    town = Town()
    for number in range(20):
        for decoy in range(3):
            town.note(f"decoy{decoy}", network=f"network {number}")
        town.note(f"victim{number}", network=f"network {number}")
    assert town.last == Headcount(3 + 19, 0)


def test_the_store_does_not_tell_which_networks_tried_the_same_account() -> None:
    store = CountingStore()
    town = Town(store=store)
    for number in range(4):
        town.note("victim", network=f"network {number}")
    entries = {(each.layer, each.member) for plan in store.plans for each in plan.counters if each.charges}
    # The account's tag is in one place alone, under which no network stands.
    assert {layer for layer, member in entries if any(member)} == {"tried"}
    keys = {each.key for plan in store.plans for each in plan.counters if each.layer in ("network", "told")}
    assert len(keys) == 5


def test_without_the_store_a_process_counts_what_it_sees() -> None:
    town = Town(store=DeadStore())
    for number in range(20):
        town.note(f"victim{number}")
    assert town.last == Headcount(20, 0)
