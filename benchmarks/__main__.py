"""Runs the benchmarks: ``python -m benchmarks``. Exits with 0 whatever the figures are, 2 on wrong usage."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.catalog import BENCHMARKS, run
from benchmarks.goals import judge
from benchmarks.machine import describe, load
from benchmarks.plot import draw
from benchmarks.report import document, metrics_of, render_page, render_text
from benchmarks.result import Result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what ``arguments`` ask for and return the exit status."""
    parser = _build_parser()
    options = parser.parse_args(arguments)
    if options.only and options.page:
        parser.error("the page is about all benchmarks: give --page without --only")
    results: dict[str, Result] = {}
    loads = [load()]
    for name in options.only or BENCHMARKS:
        results[name] = run(name)
        loads.append(load())
        print(f"\n{results[name].title}\n\n{render_text(results[name].rows)}", flush=True)
    machine = describe(loads)
    print(f"\n{render_text(machine)}\n\n{render_text(judge(metrics_of(results)))}")
    if options.json:
        options.json.write_text(json.dumps(document(results), indent=2) + "\n")
    if options.page:
        options.page.write_text(render_page(results, machine))
        draw([panel for each in results.values() for panel in each.panels], options.page.with_suffix(".svg"))
    return 0


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure what decisions cost.")
    parser.add_argument("--only", action="append", choices=BENCHMARKS, metavar="NAME", help="run this one; repeatable")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the metrics there")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the documentation's page and its plot there")
    return parser


if __name__ == "__main__":
    sys.exit(main())
