"""Run queue: how long a thread was ready to run while the machine ran something else."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Self


class RunQueue:
    """Inside the ``with`` block, ``waited`` says what the kernel counts of the thread that entered it.

    The second number of ``schedstat`` (Linux, Documentation/scheduler/sched-stats.rst: time spent waiting on a
    runqueue), in seconds.
    """

    def __enter__(self) -> Self:
        self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)

    def waited(self) -> float:
        """Return the seconds so far."""
        return int(os.pread(self._file, 100, 0).split()[1]) / 1_000_000_000
