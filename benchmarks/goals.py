"""Goals: what is aimed at, by the name of the metric."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import NamedTuple


class Goal(NamedTuple):
    """A bound; ``sign`` says on which side of it the metric is to be."""

    sign: str
    bound: float

    def is_met(self, value: float) -> bool:
        """Return whether ``value`` is on the right side."""
        return _COMPARE[self.sign](value, self.bound)

    def __str__(self) -> str:
        return f"{self.sign} {self.bound:,g}"


_COMPARE: Mapping[str, Callable[[float, float], bool]] = {"≤": operator.le, "≥": operator.ge}

GOALS = {
    "redis_4_layers_over_evalsha": Goal("≤", 1.0),
    "redis_decide_and_settle_over_evalsha": Goal("≤", 2.0),
    "redis_denied_over_evalsha": Goal("≤", 0.9),
    "redis_server_cpu_us": Goal("≤", 20),
    "redis_server_cpu_over_floor": Goal("≤", 3),
    "limits_over_ours_redis_4_layers": Goal("≥", 6),
    "memory_4_layers_us": Goal("≤", 4),
    "limits_over_ours_memory_4_layers": Goal("≥", 4),
    "sqlite_4_layers_us": Goal("≤", 60),
    "sqlite_p99_ms_4_writers": Goal("≤", 5),
    "flask_added_us_memory": Goal("≤", 60),
    "flask_added_us_redis": Goal("≤", 150),
    "redis_bytes_key_5": Goal("≤", 136),
    "redis_bytes_key_100": Goal("≤", 728),
    "redis_bytes_key_500": Goal("≤", 3160),
    "growth_1k_to_1m_keys": Goal("≤", 1.1),
    "growth_limit_10_to_1000": Goal("≤", 1.1),
    "threads_16_p99_over_p50": Goal("≤", 5),
    "threads_16_memory_p99_over_p50": Goal("≤", 5),
    "import_ms": Goal("≤", 60),
}
"""Other metrics are reported without a goal."""


def judge(metrics: Mapping[str, float]) -> list[tuple[str, ...]]:
    """Return a table of ``metrics``, those with a goal first."""
    rows: list[tuple[str, ...]] = [("metric", "measured", "goal", "met")]
    for name in (*(name for name in GOALS if name in metrics), *(name for name in metrics if name not in GOALS)):
        value, goal = metrics[name], GOALS.get(name)
        met = "" if goal is None else "yes" if goal.is_met(value) else "no"
        rows.append((name, f"{value:,.2f}", str(goal or ""), met))
    return rows
