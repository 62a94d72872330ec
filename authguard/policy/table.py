"""Table: one TOML table under reading, which knows its place in the file and lets no key go unread."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from authguard.errors import ConfigurationError

E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")
D = TypeVar("D")

_BARE = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_LONGEST_SHOWN = 60


class Table:
    """A view of one table that takes values out by key and complains, in one sentence, about what is wrong."""

    def __init__(self, values: Mapping[str, Any], file: str, path: tuple[str, ...] = ()) -> None:
        self._file = file
        self._path = path
        self._values = dict(values)

    def complaint(self, key: str | None, reason: str) -> ConfigurationError:
        """Return the error that names file, table and key; ``reason`` is a predicate."""
        place = f"[{'.'.join(map(_spelled, self._path))}]" if self._path else "the top level"
        if key is not None:
            place = f"{_spelled(key)} {'in' if self._path else 'at'} {place}"
        return ConfigurationError(f"{self._file}: {place} {reason}")

    def take(self, key: str, kind: type[T], default: D, example: str = "") -> T | D:
        """Remove ``key`` and return its value, which must be a ``kind``; ``default`` where it is missing."""
        if key not in self._values:
            return default
        value = self._values.pop(key)
        # bool is an int to Python, not to the person who wrote the file.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.complaint(key, f"must be {_SPOKEN[kind]}{example and f', such as {example}'}")
        return value

    def take_texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Remove ``key``, a text or a list of texts, and return the texts."""
        if key not in self._values:
            return default
        value = self._values.pop(key)
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
            raise self.complaint(key, "must be text, or a list of texts")
        return tuple(texts)

    def choose(self, key: str, choices: type[E], default: D) -> E | D:
        """Remove ``key`` and return the member of ``choices`` that it names."""
        name = self.take(key, str, None)
        return default if name is None else self._member(key, choices, name)

    def choose_several(self, key: str, choices: type[E], default: tuple[E, ...]) -> tuple[E, ...]:
        """Remove ``key``, a name or a list of names, and return the members of ``choices``."""
        names = self.take_texts(key)
        return tuple(self._member(key, choices, name) for name in names) or default

    def convert(self, key: str, reader: Callable[[str], T], default: D, example: str) -> T | D:
        """Remove ``key`` and return what ``reader`` makes of its text; its ``ValueError`` becomes the complaint."""
        text = self.take(key, str, None, example)
        if text is None:
            return default
        try:
            return reader(text)
        except ValueError as error:
            raise self.complaint(key, f"is wrong: {error}") from None

    def table(self, key: str) -> Table:
        """Remove ``key`` and return the table it holds, an empty one where it is missing."""
        values: dict[str, Any] = self.take(key, dict, {})
        return Table(values, self._file, (*self._path, key))

    def tables(self, key: str) -> Iterator[tuple[str, Table]]:
        """Remove ``key`` and yield the tables inside it, by name."""
        outer = self.table(key)
        for name in list(outer._values):
            yield name, outer.table(name)

    def names(self) -> tuple[str, ...]:
        """Return the keys that are still there."""
        return tuple(self._values)

    def rest(self) -> dict[str, Any]:
        """Remove and return every key still there, for a reader that checks them itself."""
        values, self._values = self._values, {}
        return values

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
            raise self.complaint(key, f"is {_quoted(name)}; use one of {', '.join(choices)}") from None


def _quoted(text: str) -> str:
    """Return ``text`` as TOML spells it in quotes, on one line and not too long."""
    return json.dumps(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")


def _spelled(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


_SPOKEN: dict[type, str] = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}
