"""Lines: no channel waits for another, no known user for strangers, and what comes too late is told."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from queue import Queue
from time import monotonic

import pytest

from authguard.delivery import Channel, Job, Pace, Route, Sender
from authguard.delivery.line import HEAD_START, Line
from authguard.errors import Overloaded
from authguard.events import MessageFailed
from authguard.stores.memory import MemoryStore
from tests.delivery.providers import Inbox, Recorder, job, message


def mail(text: str) -> Job:
    """Return a job for a mailbox."""
    return Job(Channel.MAIL, "login", False, lambda: message(text, Channel.MAIL), "a@example.com", text)


def test_mail_does_not_wait_for_a_provider_of_texts_that_hangs() -> None:
    hanging, mails = Inbox(), Inbox()
    hanging.gate.clear()
    sender = Sender({Channel.SMS: Route(hanging), Channel.MAIL: Route(mails)}, Recorder(), capacity=10)
    for _ in range(8):
        sender.reserve(Channel.SMS).fill(job())
    with pytest.raises(Overloaded):
        sender.reserve(Channel.SMS)
    sender.reserve(Channel.MAIL).fill(mail("hello"))
    assert mails.entered.wait(20)
    hanging.gate.set()
    assert sender.drain()
    assert (len(mails.messages), len(hanging.messages)) == (1, 8)
    sender.close()


def test_mail_does_not_wait_for_the_pace_of_texts() -> None:
    texts, mails = Inbox(), Inbox()
    routes = {Channel.SMS: Route(texts, Pace(MemoryStore(), "slow", "1/1h")), Channel.MAIL: Route(mails)}
    sender = Sender(routes, Recorder())
    for _ in range(5):
        sender.reserve(Channel.SMS).fill(job())
    sender.reserve(Channel.MAIL).fill(mail("hello"))
    assert mails.entered.wait(20)
    assert sender.close(seconds=0.1) > 0


def test_the_work_begins_when_the_answer_is_out_or_when_somebody_waits_for_it() -> None:
    begun: Queue[float] = Queue()
    line = Line(lambda trip: begun.put(monotonic()), Recorder(), 10, 8, 1)
    filled = monotonic()
    line.reserve(False).fill(job())
    assert begun.get(timeout=20) - filled >= HEAD_START
    line.give_up()
    slow = Line(lambda trip: begun.put(0), Recorder(), 10, 8, 1, head_start=1000)
    for known in (False, True):
        slow.reserve(known).fill(replace(job(), known=known))
    assert slow.empty_by(monotonic() + 20)
    assert begun.qsize() == 2
    slow.give_up()


def order(known: int, strangers: int) -> list[str]:
    """Queue strangers' messages and then known users' behind one that hangs; return in which order they left."""
    inbox = Inbox()
    inbox.gate.clear()
    sender = Sender({Channel.SMS: Route(inbox)}, Recorder(), threads=1)
    sender.reserve(Channel.SMS).fill(job("first"))
    assert inbox.entered.wait(20)
    for number in range(strangers):
        sender.reserve(Channel.SMS).fill(job(f"s{number}"))
    for number in range(known):
        sender.reserve(Channel.SMS, known=True).fill(job(f"k{number}", known=True))
    inbox.gate.set()
    assert sender.drain()
    sender.close()
    return [each.text for each in inbox.messages][1:]


def test_a_known_user_does_not_wait_for_all_the_strangers_that_came_before() -> None:
    assert order(1, 50)[0] == "k0"


def test_nor_do_strangers_wait_for_all_the_known_users() -> None:
    left = order(20, 20)
    assert [text[0] for text in left[:10]] == list("kkkkskkkks")
    assert [text for text in left if text[0] == "s"] == [f"s{number}" for number in range(20)]
    assert [text for text in left if text[0] == "k"] == [f"k{number}" for number in range(20)]


def test_a_place_that_is_filled_after_the_end_is_told_as_lost() -> None:
    inbox, recorder = Inbox(), Recorder()
    sender = Sender({Channel.SMS: Route(inbox)}, recorder)
    place = sender.reserve(Channel.SMS)
    assert sender.close(seconds=0.01) == 0
    place.fill(job())
    assert recorder.events == [MessageFailed("sms", "login", "lost")]
    assert sender.drain(seconds=1)


FORK = """
import os
from threading import Event, Thread
from authguard.delivery import Pace
from authguard.stores.memory import MemoryStore
pace, given_up = Pace(MemoryStore(), "slow", "1/1h"), Event()
assert pace.queue(given_up)
waiting = Thread(target=pace.queue, args=(given_up,))
waiting.start()
while not pace._front.locked():
    pass
if (child := os.fork()) == 0:
    os._exit(int(pace._front.locked()))
given_up.set()
assert os.waitpid(child, 0)[1] == 0
"""


def test_a_fork_while_somebody_waits_for_a_turn_leaves_the_child_its_own_line() -> None:
    # Python warns of forks beside threads, which is what this one is about.
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORK], check=True, timeout=60)
