"""Wording: what the messages say. Replace it to speak your users' languages; what must be in them is added to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

from authguard.delivery import Channel
from authguard.durations import parse_duration
from authguard.otp.parts import count_parts

_MINUTE = parse_duration("1m")
_ASKING, _REST = "Somebody keeps asking", "Not you? Do nothing."
_NOTICE = f"""\
{_ASKING} for codes in your name. If it was not you, do nothing: without this message they can't get in."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a message is about. ``ttl`` is how many microseconds the code lives.

    ``notice`` is true for the message, at most one a day, that tells its reader that somebody keeps asking for codes
    without ever entering one.
    """

    purpose: str
    channel: Channel
    ttl: int
    notice: bool
    code: str = field(repr=False)
    link: str = field(repr=False)


class Text(NamedTuple):
    """A written message; text messages have no subject."""

    subject: str
    body: str


class Wording(Protocol):
    """Whoever writes the messages."""

    def write(self, content: Content) -> Text:
        """Return the message with its code and its link in it, and nothing of who asked for it."""
        ...


@dataclass(frozen=True, slots=True)
class EnglishWording:
    """Plain English. ``name`` is the application's; ``actions`` say what each purpose does, as in ``"log in"``.

    A message that says what its code does is one that a reader can be less easily talked into giving away. Text
    messages leave words out to keep to two of the parts that providers charge for.
    """

    name: str
    actions: Mapping[str, str] = field(default_factory=dict)

    def write(self, content: Content) -> Text:
        """See :class:`Wording`."""
        action = self.actions.get(content.purpose, "continue")
        opening = f"{content.code} is your {self.name} code to {action}."
        if content.channel is Channel.SMS:
            return Text("", _write_short(content, opening, action))
        minutes = max(1, content.ttl // _MINUTE)
        lasts = f"{minutes} minute{'s' if minutes > 1 else ''}"
        lines = [
            f"{opening} It lasts {lasts}. Never tell it to anybody.",
            f"To {action} without it, open this link in the browser that you want to use: {content.link}",
        ]
        lines += [_NOTICE] if content.notice else []
        return Text(f"{content.code} is your {self.name} code", "\n\n".join(lines))


def _write_short(content: Content, opening: str, action: str) -> str:
    """Return the text with the most words that fits into two parts with its last line, or else the shortest."""
    host = urlsplit(content.link).hostname or ""
    texts = [
        "\n".join(lines if content.notice else lines[:-1])
        for lines in (
            (
                f"{opening} Never share it.",
                f"Or {action} here: {content.link}",
                f"{_ASKING} for codes in your name. {_REST}",
            ),
            (opening, f"Or here: {content.link}", f"{_ASKING}. {_REST}"),
            (opening, f"Or here: {content.link}", f"{_ASKING}."),
        )
    ]
    return next((text for text in texts if count_parts(bind_to_origin(text, host, content.code)) <= 2), texts[-1])


def bind_to_origin(text: str, host: str, code: str) -> str:
    """Return the text message with its last line, by which a browser offers the code to ``host`` alone.

    Format: Origin-bound one-time codes delivered via SMS (WICG), section 3.
    """
    return f"{text}\n\n@{host} #{code}"
