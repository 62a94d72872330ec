"""Report: results as tables in a terminal, as a document for machines, and as a page of the documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.goals import judge
from benchmarks.result import Result

PAGE = """\
# Performance

What a decision costs, beside a bare round trip, beside others, and where it grows. Every figure on this page comes from
one run of

    make bench

which makes an environment of its own with the peers in it, starts its own Redis, measures all subjects in turn, round
after round, and writes this page, its plot and `{{"metrics": {{name: number}}}}`. `python -m benchmarks --only NAME`
repeats one table.

How to read it. Times are microseconds of wall-clock time in one thread. p50 is the median of the quietest round, since
whatever else the machine does adds to a round and never takes from it; p99 is of all rounds, and so of the machine's
other work too. E is `EVALSHA "return 1"` through redis-py in the same run. Unless a row says otherwise a decision is
over four exact logs of 10 an hour that are half full, everything is admitted, and the nonce that makes repetitions
count once is included. *server µs* is the time that Redis itself spends in the script.

## The machine

{machine}

## Goals

{goals}

Goals in microseconds were set on an idle machine where E takes 50; on a busy one read the ratios first. What stands in
the way of those that are missed:

- *Memory.* A third of a decision is to look at four logs and see that each has room, about 0.35 µs a layer in Python; a
  little more is to charge them, to keep the nonce until it expires, and to make the reply; the rest is the clock, the
  turn, and the way between them. A plan that the engine must decide (denied, failures, distinct members) takes three to
  four times as long. The peers' calls do less: they charge the layers that admit although another denies, and count a
  repeated call twice.
- *Redis.* The script that only reads the time and four lengths already costs more than E. Counted in the server's
  instructions, a quarter of a decision is to write four counters and the nonce with one command and to say of each when
  it ends, which is what all-or-none, replay safety and keys that end consist of; an eighth is to read the time and five
  keys, an eighth to be called; half is Lua, which reads the plan and the logs, counts, and packs the answer. To settle
  four counters of failures is to read and write as much again. The client's code is a fifth of what the caller waits
  for, three times as much as it takes when it waits for nobody: the processor has gone to other work meanwhile.
- *Flask.* In memory a third of what a request pays is reading who asks (address, proxies, e-mail), a quarter the store,
  a fifth the keys and the plan; the way between them is a tenth. No event is made of an admitted request unless an
  observer counts them. What is left is Flask's own: its code takes longer when so much other code runs in between. A
  request runs each line once, and the processor's caches hold only so many: the same steps in a loop take half as long.
  So what costs is how many different functions a request comes by, some eighty of ours beside a hundred and forty of
  Flask's and Python's, and not what any of them does: the three keyed hashes are 2 µs. In Redis, a call takes twice the
  time within a request that it takes in a loop.
- *Login.* Each attempt that ends is counted in the census of accounts: another call of the store, with a dozen counters
  of distinct members that may have hundreds each.
- *Growth.* In a dictionary of a million keys the processor waits for memory: merely to look four keys up there, and do
  nothing with them, takes 4 µs more than among a thousand, which is as long as a whole decision. The faster the
  decision, the larger the ratio. The garbage collector has no part in it: switched off, it is the same. In memory a log
  grows in place at any limit. In Redis it is copied whole when it is charged, where the limit is up to 500. Of longer
  logs the ends are read and charges appended: five commands a counter where a short log takes one and shares of two
  others, at any length. Appending to all would be flatter, but Redis gives an appended string up to twice the room that
  it needs.
- *Threads.* Python lets another thread go on every 5 ms, and only one at a time, so that sixteen decide no more than
  one. Nobody queues for the memory store: a thread that finds its turn taken naps and tries again, so that one that was
  stopped in the midst of it stops the others once, not from then on. What is left in the p99 is the garbage collector.
- *SQLite.* To begin, look five rows up, write them and hand the five pages they stand on to the system takes most of 60
  µs before a limit is looked at; the five belong to different people, and so rarely share a page. That is some twenty
  calls of the system; pages of other sizes, a mapped file and rarer checkpoints change nothing that could be measured.
  Four writers on two cores wait for each other's turn, and for a core.

## Growth

![What a decision costs against the number of keys, and against the limit](performance.svg)

{tables}
"""


def render_text(rows: Sequence[Sequence[str]]) -> str:
    """Return ``rows``, the first of them the header, as columns."""
    widths = [max(len(row[i]) if i < len(row) else 0 for row in rows) for i in range(max(map(len, rows)))]
    return "\n".join("  ".join(cell.ljust(widths[i]) for i, cell in enumerate(row)).rstrip() for row in rows)


def render_markdown(rows: Sequence[Sequence[str]]) -> str:
    """Return ``rows``, the first of them the header, as a Markdown table."""
    width = max(map(len, rows))
    header, *body = [[*row, *("" for _ in range(width - len(row)))] for row in rows]
    lines = [header, ["---", *("---:" for _ in header[1:])], *body]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def render_page(results: Mapping[str, Result], machine: Sequence[tuple[str, str]]) -> str:
    """Return the page of the documentation."""
    tables = [f"## {each.title}\n\n{render_markdown(each.rows)}" for name, each in results.items() if name != "growth"]
    if "growth" in results:
        tables.insert(0, render_markdown(results["growth"].rows))
    return PAGE.format(
        machine=render_markdown([("", ""), *machine]),
        goals=render_markdown(judge(metrics_of(results))),
        tables="\n\n".join(tables),
    )


def document(results: Mapping[str, Result]) -> dict[str, Any]:
    """Return what ``--json`` writes."""
    return {"metrics": {name: round(value, 4) for name, value in metrics_of(results).items()}}


def metrics_of(results: Mapping[str, Result]) -> dict[str, float]:
    """Return the metrics of all results."""
    return {name: value for result in results.values() for name, value in result.metrics.items()}
