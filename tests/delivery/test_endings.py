"""Endings: every message ends with one event, also where the process ends while a provider has it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from threading import Event, Timer, get_ident, main_thread
from time import monotonic

import pytest

from authguard.delivery import Channel, Message, Route, Sender
from authguard.events import MessageFailed, MessageSent
from tests.delivery.providers import Inbox, Recorder, job
from tests.delivery.test_money import Book

LOST, UNCERTAIN = (MessageFailed("sms", "login", fault) for fault in ("lost", "uncertain"))


def stuck() -> tuple[Inbox, Recorder, Book, Sender]:
    """Return a sender whose provider has one message and doesn't answer, while two more wait."""
    inbox, recorder = Inbox(), Recorder()
    inbox.gate.clear()
    book = Book(inbox)
    sender = Sender({Channel.SMS: Route(inbox)}, recorder, book, threads=1)
    for text in ("one", "two", "three"):
        sender.reserve(Channel.SMS).fill(job(text))
    assert inbox.entered.wait(20)
    return inbox, recorder, book, sender


def test_a_message_that_the_provider_still_has_is_told_as_uncertain_and_stays_paid() -> None:
    inbox, recorder, book, sender = stuck()
    assert sender.close(seconds=0.05) == 2
    assert recorder.events == [LOST, LOST, UNCERTAIN]
    assert book.lines == ["reserve", "dispatch, 0 out", "commit, 0 out"]
    inbox.gate.set()
    assert sender.drain(20)
    assert recorder.events == [LOST, LOST, UNCERTAIN]
    assert book.lines == ["reserve", "dispatch, 0 out", "commit, 0 out"]


def test_closing_again_waits_for_nothing_and_tells_nothing() -> None:
    inbox, recorder, _, sender = stuck()
    sender.close(seconds=0.05)
    started = monotonic()
    assert sender.close(seconds=15) == 0
    assert monotonic() - started < 10
    assert len(recorder.events) == 3
    inbox.gate.set()


class Slow(Book):
    """A ledger that takes its time to write down that a message is about to leave."""

    def __init__(self, inbox: Inbox) -> None:
        super().__init__(inbox)
        self.asked, self.gate = Event(), Event()

    def dispatch(self) -> bool:
        self.asked.set()
        assert self.gate.wait(20)
        return super().dispatch()


def test_a_message_that_is_not_with_the_provider_yet_is_lost_and_never_leaves() -> None:
    inbox, recorder = Inbox(), Recorder()
    book = Slow(inbox)
    sender = Sender({Channel.SMS: Route(inbox)}, recorder, book, threads=1)
    sender.reserve(Channel.SMS).fill(job())
    assert book.asked.wait(20)
    assert sender.close(seconds=0.05) == 1
    assert recorder.events == [LOST]
    book.gate.set()
    assert sender.drain(20)
    assert (recorder.events, inbox.messages) == ([LOST], [])
    assert book.lines == ["reserve", "dispatch, 0 out", "release"]


class Broken(Book):
    """A ledger that can't be told any more that a message may be out."""

    def commit(self) -> None:
        raise OSError


def test_a_ledger_that_fails_at_the_end_keeps_nobody_from_being_told() -> None:
    inbox, recorder = Inbox(), Recorder()
    sender = Sender({Channel.SMS: Route(inbox)}, recorder, Broken(inbox), threads=1)
    sender.reserve(Channel.SMS).fill(job())
    assert sender.drain(20)
    inbox.gate.clear()
    inbox.entered.clear()
    sender.reserve(Channel.SMS).fill(job())
    assert inbox.entered.wait(20)
    assert sender.close(seconds=0.05) == 0
    assert isinstance(recorder.events[0], MessageSent)
    assert recorder.events[1:] == [UNCERTAIN]
    inbox.gate.set()


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_what_would_end_a_thread_ends_none_of_the_senders(error: type[BaseException]) -> None:
    """Time-outs of event loops are no ``Exception`` either; without its threads a channel would be full for ever."""

    class Leaving:
        """A provider that tries to."""

        def deliver(self, message: Message) -> None:
            raise error

    recorder = Recorder()
    sender = Sender({Channel.SMS: Route(Leaving())}, recorder, threads=1)
    for _ in range(2):
        sender.reserve(Channel.SMS).fill(job())
    assert sender.drain(20)
    assert recorder.events == [UNCERTAIN] * 2
    sender.close()


def test_a_signal_that_ends_the_wait_leaves_nothing_untold() -> None:
    inbox, recorder, _, sender = stuck()

    def leave(number: int, frame: object) -> None:
        raise SystemExit

    before = signal.signal(signal.SIGUSR1, leave)
    ident = main_thread().ident or get_ident()
    timer = Timer(0.3, lambda: signal.pthread_kill(ident, signal.SIGUSR1))
    timer.start()
    try:
        with pytest.raises(SystemExit):
            sender.close(seconds=15)
    finally:
        timer.cancel()
        signal.signal(signal.SIGUSR1, before)
    assert recorder.events == [LOST, LOST, UNCERTAIN]
    inbox.gate.set()


def test_a_child_tells_nothing_of_what_its_parent_has_under_way() -> None:
    inbox, recorder, _, sender = stuck()
    told = run_in_child(lambda: sender.close(seconds=0.05) + len(recorder.events))
    assert told == 0
    inbox.gate.set()
    assert sender.close() == 0
    assert [type(event) for event in recorder.events] == [MessageSent] * 3


def run_in_child(look: Callable[[], int]) -> int:
    """Fork, and return what ``look`` says there: a small number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, which is what this is about
        child = os.fork()
    if child == 0:
        said = 99
        try:
            said = look()
        finally:
            os._exit(said)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


SCRIPT = """
import atexit
from threading import Event
from authguard.delivery import Channel, Job, Message, Route, Sender
called = Event()
class Hanging:
    def deliver(self, message):
        called.set()
        Event().wait()
class Log:
    def observe(self, event):
        print(event.fault, flush=True)
sender = Sender({Channel.SMS: Route(Hanging())}, Log(), threads=1)
message = Message(Channel.SMS, "+15005550006", "hello")
for _ in range(3):
    sender.reserve(Channel.SMS).fill(Job(Channel.SMS, "login", False, lambda: message, message.to))
called.wait(20)
atexit.register(sender.close, 0.2)  # and then the sender's own, which finds everything told
"""


def test_an_interpreter_that_ends_tells_what_became_of_each() -> None:
    command = [sys.executable, "-W", "error", "-c", SCRIPT]
    ended = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert ended.stderr == ""
    assert ended.stdout.split() == ["lost", "lost", "uncertain"]
