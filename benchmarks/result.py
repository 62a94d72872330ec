"""Result: what one benchmark found, as a table for people and as metrics for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from benchmarks.rounds import Spread


class Panel(NamedTuple):
    """One diagram: the points on its axis, and a curve for each store."""

    axis: str
    points: Sequence[int]
    curves: Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Result:
    """A table, its first row the header; numbers by the names that goals are set for; and what there is to draw."""

    title: str
    rows: Sequence[Sequence[str]]
    metrics: dict[str, float] = field(default_factory=dict)
    panels: tuple[Panel, ...] = ()


def tabulate_spreads(
    title: str, spreads: Mapping[str, Spread], base: str, metrics: dict[str, float], *, server: bool = False
) -> Result:
    """Return a table of ``spreads`` with their ratio to the one called ``base``."""
    rows = [("", "p50 µs", "p99 µs", f"× {base}", *(("server µs",) if server else ()))]
    for name, each in spreads.items():
        ratio = f"{each.p50 / spreads[base].p50:.2f}"
        used = (f"{each.used:.1f}",) if server else ()
        rows.append((name, f"{each.p50:.1f}", f"{each.p99:.1f}", ratio, *used))
    return Result(title, rows, metrics)


def tabulate_numbers(title: str, numbers: Mapping[str, float], unit: str, metrics: dict[str, float]) -> Result:
    """Return a table of one number a row."""
    rows = [("", unit), *((name, f"{number:,.1f}") for name, number in numbers.items())]
    return Result(title, rows, metrics)
