"""Attack windows: which tries of a log were an attack's, by address and time."""

from __future__ import annotations

import csv
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from authguard.clock import SECOND
from authguard.errors import ConfigurationError
from authguard.login.replay.moment import read_moment
from authguard.login.replay.record import Origin, Record

SLACK = SECOND
"""Microseconds that a window is wider on both sides: its times and the log's were taken apart."""


class AttackWindows:
    """Windows of time, each of one address."""

    def __init__(self, windows: Iterable[tuple[int, int, str]]) -> None:
        self._windows: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for start, end, address in sorted(windows):
            self._windows[address].append((start - SLACK, end + SLACK))

    def label(self, records: Iterable[Record]) -> tuple[Record, ...]:
        """Return ``records`` with those inside a window marked as an attack's."""
        return tuple(replace(each, origin=Origin.ATTACK if self._holds(each) else Origin.PEOPLE) for each in records)

    def _holds(self, record: Record) -> bool:
        windows = self._windows.get(record.address, [])
        last = bisect_right(windows, record.at, key=lambda window: window[0])
        return any(record.at <= end for _, end in windows[:last])


def read_windows(path: Path) -> AttackWindows:
    """Return the windows in a CSV file with the columns ``start``, ``end`` and ``source_ip``.

    Raises ``ConfigurationError`` for a file that can't be read.
    """
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            rows = [
                (read_moment(row["start"]), read_moment(row["end"]), row["source_ip"]) for row in csv.DictReader(lines)
            ]
    except OSError as error:
        raise ConfigurationError(f"{path} can't be read: {error.strerror}; name a file of attack windows") from None
    except (KeyError, TypeError, ValueError):
        raise ConfigurationError(
            f"{path} is no list of attack windows; give it the columns start, end and source_ip"
        ) from None
    return AttackWindows(rows)
