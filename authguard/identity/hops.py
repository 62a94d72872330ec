"""Hops: the entries of a forwarding header, read from the right, where the nearest proxy wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

LONGEST_HEADER = 8192
"""Characters of a header that are looked at, from the right."""

_BLANKS = ", \t"
_TOKEN = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]++"
_QUOTED = r'"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*+"'
# RFC 7239 section 4 allows a token here; colons and brackets outside quotes are what some proxies really write.
_BARE = r"[!#$%&'*+\-.^_`|~0-9A-Za-z:\[\]]*+"
_PAIR = re.compile(rf"[ \t]*+(?:({_TOKEN})=({_QUOTED}|{_BARE}))?[ \t]*+(;|\Z)")
_MOST_PAIRS = 16
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)

# One element, in a header written backwards: runs free of quotes and commas, and quoted strings, whose opening
# quote is one that no odd number of backslashes stands before. Possessive, so that no input makes it retry.
_ELEMENT_BACKWARDS = re.compile(r'(?:[^",]++|"(?:[^"]++|"(?=\\(?:\\\\)*+(?!\\)))*+")*+')


def tail(lines: list[str]) -> tuple[str, bool]:
    """Return the last 8 KiB of a header, its lines joined in order (RFC 9110 section 5.3), and whether it had more."""
    if len(lines) == 1 and len(lines[0]) <= LONGEST_HEADER:
        return lines[0], False
    kept: list[str] = []
    room = LONGEST_HEADER
    for line in reversed(lines):
        if len(line) > room:
            kept.append(line[len(line) - room :])
            return ",".join(reversed(kept)), True
        kept.append(line)
        room = max(0, room - len(line) - 1)
    return ",".join(reversed(kept)), False


def list_entries(text: str) -> Iterable[tuple[str, int]]:
    """Return the entries of X-Forwarded-For from the right, each with where it starts.

    Splits on every comma: the header has no quoting, and a client that sends a quote must not make
    what the proxy appended part of its own string. Empty entries are skipped (RFC 9110 section 5.6.1).
    """
    text = text.rstrip(_BLANKS)
    if "," in text:
        return _split(text)
    return ((text, 0),) if text else ()


def _split(text: str) -> Iterator[tuple[str, int]]:
    while text:
        start = text.rfind(",") + 1
        yield text[start:], start
        text = text[:start].rstrip(_BLANKS)


def forwarded_entries(text: str) -> Iterator[tuple[str, int]]:
    """Yield the ``for`` nodes of a Forwarded header (RFC 7239) from the right, each with where its element starts.

    Quoted strings are honoured, scanning leftwards: an element that a proxy appended is well formed,
    and a quote that the client left open further left can't reach it. An element that is malformed or
    names no single ``for`` yields ``""``, which is no address. Empty elements are skipped.
    """
    backwards = text[::-1].lstrip(_BLANKS)
    while backwards:
        match = _ELEMENT_BACKWARDS.match(backwards)
        end = match.end() if match else 0
        if backwards[end : end + 1] not in ("", ","):
            yield "", 0
            return
        yield _for_node(backwards[:end][::-1]), len(backwards) - end
        backwards = backwards[end:].lstrip(_BLANKS)


def _for_node(element: str) -> str:
    """Return the value of the only ``for`` pair of an element, unquoted, or ``""``."""
    position = 0
    node = None
    for _ in range(_MOST_PAIRS):
        match = _PAIR.match(element, position)
        if match is None:
            return ""
        name, value, separator = match.groups()
        if name is not None and name.lower() == "for":
            if node is not None:
                return ""
            node = _ESCAPED.sub(r"\1", value[1:-1]) if value.startswith('"') else value
        if not separator:
            return node or ""
        position = match.end()
    return ""
