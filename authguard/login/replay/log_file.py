"""Log file: reads the logins of a file, whatever of the known formats it has."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from authguard.errors import ConfigurationError
from authguard.login.replay.access_log import LINE, AccessLog
from authguard.login.replay.columns import Columns
from authguard.login.replay.record import Record

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class LogFile:
    """The logins of a file in the order of time, and how many lines could not be read; ``first`` is one of them."""

    records: tuple[Record, ...]
    skipped: int = 0
    first: str = ""


def read_log(path: Path, access_log: AccessLog | None = None) -> LogFile:
    """Return the logins in ``path``: CSV with a header, JSON lines, or a common or combined access log.

    Raises ``ConfigurationError`` for a file that can't be read or holds no login.
    """
    try:
        with path.open(encoding="utf-8", errors="replace", newline="") as lines:
            found = _read(lines, access_log or AccessLog())
    except OSError as error:
        raise ConfigurationError(f"{path} can't be read: {error.strerror}; name a log") from None
    except (ValueError, csv.Error) as error:
        raise ConfigurationError(f"{path} can't be read: {error}; use CSV, JSON lines or an access log") from None
    if not found.records:
        why = f" ({found.skipped} lines can't be read, such as {found.first})" if found.skipped else ""
        raise ConfigurationError(f"{path} holds no login{why}; for an access log, name the form's path with --path")
    return found


def _read(lines: Iterable[str], access_log: AccessLog) -> LogFile:
    numbered = iter(lines)
    head = next((line for line in numbered if line.strip()), "").removeprefix("\ufeff")
    if head.lstrip().startswith("{"):
        return _gather((line for line in _chain(head, numbered) if line.strip()), _read_json)
    if LINE.fullmatch(head.rstrip("\r\n")):
        return _gather(_chain(head, numbered), access_log.read)
    rows = csv.DictReader(_chain(head, numbered))
    return _gather(rows, Columns(rows.fieldnames or ()).read)


def _read_json(line: str) -> Record:
    row = json.loads(line)
    if not isinstance(row, dict):
        raise ValueError("this is no JSON object")
    return Columns(row).read(row)


def _chain(head: str, rest: Iterable[str]) -> Iterator[str]:
    yield head
    yield from rest


def _gather(entries: Iterable[Entry], read: Callable[[Entry], Record | None]) -> LogFile:
    records, skipped, first = [], 0, ""
    for number, entry in enumerate(entries, start=1):
        try:
            record = read(entry)
        except (ValueError, RecursionError) as error:
            skipped += 1
            first = first or f"entry {number}: {error}"
            continue
        if record is not None:
            records.append(record)
    return LogFile(tuple(sorted(records, key=lambda record: record.at)), skipped, first)
