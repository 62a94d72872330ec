"""Catalog: the benchmarks by name. Each is imported when it runs, so that one can run without what another needs."""

from __future__ import annotations

from importlib import import_module

from benchmarks.result import Result

BENCHMARKS = {
    "memory": "benchmarks.memory",
    "redis": "benchmarks.redis",
    "sqlite": "benchmarks.sqlite",
    "flask": "benchmarks.flask_requests",
    "growth": "benchmarks.growth",
    "threads": "benchmarks.threads",
    "algorithms": "benchmarks.algorithms",
    "identity": "benchmarks.identity",
    "weight": "benchmarks.weight",
    "start": "benchmarks.start",
    "attacks": "benchmarks.suite",
}


def run(name: str) -> Result:
    """Run the benchmark called ``name``, a key of ``BENCHMARKS``."""
    result: Result = import_module(BENCHMARKS[name]).run()
    return result
