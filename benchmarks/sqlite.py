"""SQLite: what a decision in the shared file costs, alone and beside other writers."""

from __future__ import annotations

import multiprocessing
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter_ns, process_time_ns

from authguard.clock import SECOND
from authguard.errors import StoreTimeout
from authguard.limits import Algorithm, Counter, Counts, Limit, Outcome, Plan
from authguard.stores.sqlite import SQLiteStore
from benchmarks.result import Result, tabulate_numbers

CALLS = 1500
ROUNDS = 11
WRITERS = 4
WINDOW = 900 * SECOND
PEOPLE, NETWORKS = ([secrets.token_bytes(16) for _ in range(size)] for size in (20_000, 300))
EVERYBODY = secrets.token_bytes(16)


def plans(amount: int = 500) -> Iterator[Plan]:
    """Yield plans of four layers: a person, an address, a network, everybody."""
    for i in count():
        yield Plan(
            (
                Counter("id", PEOPLE[i * 7919 % len(PEOPLE)], Limit(amount, WINDOW)),
                Counter("ip", PEOPLE[i * 104_729 % len(PEOPLE) - 1], Limit(amount, WINDOW)),
                Counter("subnet", NETWORKS[i % len(NETWORKS)], Limit(amount, WINDOW)),
                Counter("global", EVERYBODY, Limit(1_000_000, 60 * SECOND, Algorithm.GCRA)),
            )
        )


def attempts() -> Iterator[Plan]:
    """Yield a login's plans: failures of an account, an address and a network, and every attempt of the account."""
    for i in count():
        key = PEOPLE[i * 7919 % len(PEOPLE)]
        yield Plan(
            (
                Counter("id", key, Limit(50, WINDOW), counts=Counts.FAILURES, joins=True, clears=True),
                Counter("ip", key[::-1], Limit(200, WINDOW), counts=Counts.FAILURES),
                Counter("subnet", NETWORKS[i % len(NETWORKS)], Limit(1000, WINDOW), counts=Counts.FAILURES),
                Counter("all", key[8:] + key[:8], Limit(300, WINDOW)),
            ),
            key[:7],
            hold=30 * SECOND,
        )


def spread(times: list[int]) -> dict[str, float]:
    """Return the median, the 99th percentile and the longest of ``times``, given in nanoseconds, in microseconds."""
    times.sort()
    return {"p50": times[len(times) // 2] / 1e3, "p99": times[len(times) * 99 // 100] / 1e3, "max": times[-1] / 1e3}


def decisions(store: SQLiteStore, asked: Iterator[Plan], calls: int = CALLS) -> list[int]:
    """Return the nanoseconds of each of ``calls`` decisions."""
    times = []
    for _ in range(calls):
        plan = next(asked)
        begin = perf_counter_ns()
        store.decide(plan)
        times.append(perf_counter_ns() - begin)
    return times


def alone(folder: Path) -> dict[str, float]:
    """Return the costs when nobody else writes: the best round of several, as a quiet machine has it."""
    figures: dict[str, float] = {}
    with closing(SQLiteStore(folder / "alone.db")) as store:
        asked, denied, logins = plans(), plans(1), attempts()
        for _ in range(ROUNDS):
            begin = process_time_ns()
            best(figures, "admitted", spread(decisions(store, asked)))
            best(figures, "admitted", {"processor": (process_time_ns() - begin) / CALLS / 1e3})
            best(figures, "denied", spread(decisions(store, denied)))
            best(figures, "login", spread(settled(store, logins)))
    return figures


def best(figures: dict[str, float], name: str, measured: dict[str, float]) -> None:
    """Keep the smaller of the figures so far and those measured."""
    for part, value in measured.items():
        figures[f"{name}, {part}"] = min(value, figures.get(f"{name}, {part}", value))


def settled(store: SQLiteStore, asked: Iterator[Plan]) -> list[int]:
    """Return the nanoseconds of charging and settling an attempt."""
    times = []
    for _ in range(CALLS):
        plan = next(asked)
        begin = perf_counter_ns()
        receipt = store.decide(plan).receipt
        if receipt is not None:
            store.settle(receipt, Outcome.SUCCESS)
        times.append(perf_counter_ns() - begin)
    return times


def write(path: Path, pipe: Connection) -> None:
    """Decide beside other processes; send back the times and how many calls met their deadline."""
    with closing(SQLiteStore(path)) as store:
        asked, times, late = plans(), [], 0
        pipe.send(None)
        pipe.recv()
        for _ in range(CALLS * 2):
            try:
                times += decisions(store, asked, 1)
            except StoreTimeout:
                late += 1
        pipe.send((times, late))


def together(folder: Path) -> dict[str, float]:
    """Return the costs when several processes write as fast as they can."""
    spawn = multiprocessing.get_context("spawn")
    pipes = []
    for _ in range(WRITERS):
        pipe, far = spawn.Pipe()
        spawn.Process(target=write, args=(folder / "together.db", far)).start()
        pipes.append(pipe)
    for pipe in pipes:
        pipe.recv()
    begin = perf_counter_ns()
    for pipe in pipes:
        pipe.send(None)
    answers = [pipe.recv() for pipe in pipes]
    seconds = (perf_counter_ns() - begin) / 1e9
    times = [time for each, _ in answers for time in each]
    figures = {f"{WRITERS} writers, {part}": value for part, value in spread(times).items()}
    figures[f"{WRITERS} writers, decisions a second"] = len(times) / seconds
    figures[f"{WRITERS} writers, deadlines missed"] = sum(late for _, late in answers)
    return figures


def run() -> Result:
    """Measure a store with nobody beside it, then one with several writers."""
    with tempfile.TemporaryDirectory() as folder:
        figures = {**alone(Path(folder)), **together(Path(folder))}
    metrics = {
        "sqlite_4_layers_us": figures["admitted, p50"],
        "sqlite_p99_ms_4_writers": figures[f"{WRITERS} writers, p99"] / 1e3,
    }
    return tabulate_numbers("SQLite", figures, "µs", metrics)
