"""Prometheus with several processes: what a worker shows that was forked after the store was opened."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

WORKER = """
import os
from prometheus_client import CollectorRegistry, Counter
from prometheus_client.multiprocess import MultiProcessCollector
from authguard.events import Refused, StoreOpened
from authguard.observe.prometheus import PrometheusObserver

def up():
    MultiProcessCollector(all_processes := CollectorRegistry())
    samples = [sample for metric in all_processes.collect() for sample in metric.samples]
    return [sample.value for sample in samples if sample.name == "rate_limit_backend_up"]

observer, requests = PrometheusObserver(CollectorRegistry()), Counter("requests", "All.", registry=None)
observer.observe(StoreOpened("redis"))
for generation in range(2):
    if os.fork():
        os._exit(os.waitstatus_to_exitcode(os.wait()[1]))
    requests.inc()
    told = [up()] if not generation else []
    observer.observe(Refused("login", "empty"))
    print(*told, up())
"""


def test_a_store_that_was_opened_before_the_fork_is_up_behind_it(tmp_path: Path) -> None:
    """The first worker is forked before anything happened, the second by the first, which is up already."""
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    worker = subprocess.run(
        [sys.executable, "-c", WORKER], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    assert worker.stdout.splitlines() == ["[] [1.0]", "[1.0]"]
