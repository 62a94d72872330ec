"""Table: one TOML table under reading, which knows its place in the file and lets no key go unread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, TypeVar

from authguard.errors import ConfigurationError

E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")
D = TypeVar("D")


class Table:
    """A view of one table that takes values out by key and complains, in one sentence, about what is wrong."""

    def __init__(self, values: Any, file: str, name: str) -> None:
        self._file = file
        self._name = name
        if not isinstance(values, dict):
            raise self.complaint(None, "must be a table")
        self._values: dict[str, Any] = dict(values)

    def complaint(self, key: str | None, reason: str) -> ConfigurationError:
        """Return the error that names file, table and key."""
        place = f"[{self._name}]" if self._name else "the top level"
        subject = f"{key!r} in {place}" if key else place
        return ConfigurationError(f"{self._file}: {subject} {reason}")

    def take(self, key: str, kind: type[T], default: D) -> T | D:
        """Remove ``key`` and return its value, which must be a ``kind``; ``default`` where it is missing."""
        value = self._values.pop(key, None)
        if value is None:
            return default
        # bool is an int to Python, not to the person who wrote the file.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.complaint(key, f"must be {_SPOKEN.get(kind, kind.__name__)}")
        return value

    def choose(self, key: str, choices: type[E], default: D) -> E | D:
        """Remove ``key`` and return the member of ``choices`` that it names."""
        text = self.take(key, str, None)
        return default if text is None else self._member(key, choices, text)

    def choose_several(self, key: str, choices: type[E], default: tuple[E, ...]) -> tuple[E, ...]:
        """Remove ``key``, a name or a list of names, and return the members of ``choices``."""
        value = self._values.pop(key, None)
        if value is None:
            return default
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
            raise self.complaint(key, "must be a name or a list of names")
        return tuple(self._member(key, choices, name) for name in names)

    def convert(self, key: str, reader: Callable[[str], T], default: T) -> T:
        """Remove ``key`` and return what ``reader`` makes of its text; its ``ValueError`` becomes the complaint."""
        text = self.take(key, str, None)
        if text is None:
            return default
        try:
            return reader(text)
        except ValueError as error:
            raise self.complaint(key, f"is wrong: {error}") from None

    def tables(self, key: str) -> Iterator[tuple[str, Table]]:
        """Remove ``key`` and yield the tables inside it, by name."""
        for name, values in self.take(key, dict, _EMPTY).items():
            yield name, Table(values, self._file, f"{self._name}.{key}.{name}".lstrip("."))

    def has(self, key: str) -> bool:
        """Return whether ``key`` is still there."""
        return key in self._values

    def finish(self, known: str) -> None:
        """Complain about the first key that nobody took; ``known`` lists those that exist."""
        for key in self._values:
            raise self.complaint(key, f"is not known; use {known}")

    def _member(self, key: str, choices: type[E], name: str) -> E:
        try:
            return choices(name)
        except ValueError:
            raise self.complaint(key, f"is {name[:40]!r}; use one of {', '.join(choices)}") from None


_EMPTY: dict[str, Any] = {}
_SPOKEN: dict[type, str] = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}
