"""Memory: what a decision in the process costs, beside the same four limits by others."""

from __future__ import annotations

from authguard.limits import Counts
from authguard.stores.memory import MemoryStore
from benchmarks.peers import memory_peers
from benchmarks.plans import TEN, decisions, settlements
from benchmarks.result import Result, tabulate_spreads
from benchmarks.rounds import measure

OURS = "authguard"


def run() -> Result:
    """Measure decisions over four exact logs, half full unless said otherwise."""
    store = MemoryStore()
    spreads = measure(
        {
            OURS: decisions(store),
            f"{OURS}, denied": decisions(store, TEN.amount),
            f"{OURS}, failures": decisions(store, counts=Counts.FAILURES),
            f"{OURS}, failures decided and settled": settlements(store),
            **memory_peers(),
        }
    )
    ours, theirs = spreads[OURS].p50, spreads["limits, moving window"].p50
    metrics = {"memory_4_layers_us": ours, "limits_over_ours_memory_4_layers": theirs / ours}
    return tabulate_spreads("Four layers in memory", spreads, OURS, metrics)
