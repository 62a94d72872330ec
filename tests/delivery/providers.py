"""Providers: what a sender delivers to in tests, and a job for it."""

from __future__ import annotations

from threading import Event, Lock

from authguard.delivery import Channel, Job, Message
from authguard.events import Event as Happening


class Inbox:
    """A provider that keeps every message, once ``gate`` is open; ``error`` is raised after that."""

    def __init__(self, error: Exception | None = None) -> None:
        self.gate = Event()
        self.gate.set()
        self.entered = Event()
        self.messages: list[Message] = []
        self.error = error
        self._lock = Lock()

    def deliver(self, message: Message) -> None:
        self.entered.set()
        assert self.gate.wait(20)
        with self._lock:
            self.messages.append(message)
        if self.error is not None:
            raise self.error


class Recorder:
    """An observer that keeps every event."""

    def __init__(self) -> None:
        self.events: list[Happening] = []

    def observe(self, event: Happening) -> None:
        self.events.append(event)


def message(text: str = "hello", channel: Channel = Channel.SMS, to: str = "+15005550006") -> Message:
    return Message(channel, to, text, "subject", "key")


def job(text: str = "hello", known: bool = False) -> Job:
    return Job(Channel.SMS, "login", known, lambda: message(text), "+15005550006", text)
