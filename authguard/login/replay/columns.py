"""Columns: which of a log's fields say when, from where, on which account, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from authguard.login.replay.moment import read_moment
from authguard.login.replay.record import Record

NAMES: Mapping[str, tuple[str, ...]] = {
    "time": ("datetime", "time", "timestamp", "@timestamp", "ts", "date"),
    "address": ("source_ip", "ip", "remote_addr", "client_ip", "remote_ip", "address"),
    "account": ("username", "user", "account", "email", "login", "identifier", "id"),
    "success": ("success", "succeeded", "outcome", "result", "ok"),
}
"""What a field may be called, the likeliest name first."""

_YES = {"true", "1", "yes", "success", "succeeded", "ok", "allowed"}
_NO = {"false", "0", "no", "failure", "failed", "fail", "error", "denied"}


class Columns:
    """The fields of one log. Raises ``ValueError`` where one that is needed has none of its names."""

    def __init__(self, fields: Iterable[str]) -> None:
        named = {field.strip().lower(): field for field in fields}
        found = {what: next((named[name] for name in names if name in named), None) for what, names in NAMES.items()}
        missing = [what for what, field in found.items() if field is None and what != "account"]
        if missing:
            wanted = "; ".join(f"{what}: {', '.join(NAMES[what])}" for what in missing)
            raise ValueError(f"no column is called any of these ({wanted})")
        self._time, self._address, self._success = found["time"], found["address"], found["success"]
        self._account = found["account"]

    def read(self, row: Mapping[str, object]) -> Record:
        """Return the record in ``row``; raises ``ValueError`` for one that can't be read."""
        at = read_moment(_text(row, self._time))
        address = _text(row, self._address)
        if not address:
            raise ValueError("there is no address")
        return Record(at, address, _text(row, self._account) or None, _verdict(_text(row, self._success)))


def _text(row: Mapping[str, object], field: str | None) -> str:
    value = row.get(field) if field is not None else None
    return "" if value is None else str(value).strip()


def _verdict(text: str) -> bool:
    word = text.lower()
    if word not in _YES | _NO:
        raise ValueError("the outcome is neither a success nor a failure")
    return word in _YES
