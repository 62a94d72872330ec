"""The sender: bounded, the same for somebody and nobody, and never silent about what it could not send."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from authguard.delivery import Channel, Job, NotDelivered, Route, Sender
from authguard.errors import Overloaded
from authguard.events import MessageFailed, MessageSent
from tests.delivery.providers import Inbox, Recorder, job


def sender_to(inbox: Inbox, recorder: Recorder, capacity: int = 10, threads: int = 1) -> Sender:
    return Sender({Channel.SMS: Route(inbox)}, recorder, capacity=capacity, threads=threads)


def test_messages_leave_in_order_and_are_told() -> None:
    inbox, recorder = Inbox(), Recorder()
    sender = sender_to(inbox, recorder)
    for text in ("one", "two", "three"):
        sender.reserve(Channel.SMS).fill(job(text))
    assert sender.drain()
    assert [each.text for each in inbox.messages] == ["one", "two", "three"]
    assert [type(event) for event in recorder.events] == [MessageSent] * 3
    assert sender.close() == 0


def test_a_place_is_taken_by_nobody_as_by_somebody() -> None:
    inbox, recorder = Inbox(), Recorder()
    inbox.gate.clear()
    sender = sender_to(inbox, recorder, capacity=5)  # of which one is kept for known users
    sender.reserve(Channel.SMS).fill(job())
    assert inbox.entered.wait(20)
    for _ in range(3):
        sender.reserve(Channel.SMS).fill(Job(Channel.SMS, "login", False, lambda: None))
    with pytest.raises(Overloaded) as caught:
        sender.reserve(Channel.SMS)
    assert caught.value.code == "messages"
    sender.reserve(Channel.SMS, known=True).leave()
    place = sender.reserve(Channel.SMS, known=True)
    with pytest.raises(Overloaded):
        sender.reserve(Channel.SMS, known=True)
    place.leave()
    place.leave()
    inbox.gate.set()
    assert sender.drain()
    assert len(inbox.messages) == 1
    sender.close()


def test_known_users_leave_places_to_strangers() -> None:
    sender = sender_to(Inbox(), Recorder(), capacity=5)
    places = [sender.reserve(Channel.SMS, known=True) for _ in range(4)]
    with pytest.raises(Overloaded):
        sender.reserve(Channel.SMS, known=True)
    places.append(sender.reserve(Channel.SMS))
    for place in places:
        place.leave()
    assert sender.drain()
    sender.close()


def test_a_place_is_filled_once() -> None:
    sender = sender_to(Inbox(), Recorder())
    place = sender.reserve(Channel.SMS)
    place.fill(job())
    place.leave()
    with pytest.raises(ValueError, match="once"):
        place.fill(job())
    assert sender.drain()
    sender.close()


def test_a_channel_without_a_route_is_refused_to_everyone() -> None:
    sender = sender_to(Inbox(), Recorder())
    with pytest.raises(Overloaded) as caught:
        sender.reserve(Channel.MAIL, known=True)
    assert caught.value.code == "channel"
    sender.close()


@pytest.mark.parametrize(
    ("error", "fault"), [(NotDelivered("status_400"), "status_400"), (TimeoutError("no answer"), "uncertain")]
)
def test_a_provider_that_fails_is_an_event_and_the_next_message_leaves(error: Exception, fault: str) -> None:
    inbox, recorder = Inbox(error), Recorder()
    sender = sender_to(inbox, recorder)
    for _ in range(2):
        sender.reserve(Channel.SMS).fill(job())
    assert sender.drain()
    assert recorder.events == [MessageFailed("sms", "login", fault)] * 2
    sender.close()


def test_a_job_that_breaks_is_an_event() -> None:
    recorder = Recorder()
    sender = sender_to(Inbox(), recorder)

    def breaks() -> None:
        raise RuntimeError

    for to in (None, "+15005550006"):
        sender.reserve(Channel.SMS).fill(Job(Channel.SMS, "login", False, breaks, to))
    assert sender.drain()
    assert recorder.events == [MessageFailed("sms", "login", "error")] * 2
    sender.close()


def test_closing_takes_no_more_and_says_what_was_lost() -> None:
    inbox, recorder = Inbox(), Recorder()
    inbox.gate.clear()
    sender = sender_to(inbox, recorder)
    for _ in range(3):
        sender.reserve(Channel.SMS).fill(job())
    assert inbox.entered.wait(20)
    assert sender.close(seconds=0.05) == 2
    with pytest.raises(Overloaded):
        sender.reserve(Channel.SMS)
    inbox.gate.set()
    assert sender.drain()
    assert recorder.events[:2] == [MessageFailed("sms", "login", "lost")] * 2
    assert len(inbox.messages) == 1


SCRIPT = """
import os, sys
from authguard.delivery import Channel, Job, Message, Route, Sender
from authguard.delivery.development import File
from authguard.observe import Observers
sender = Sender({Channel.SMS: Route(File(sys.argv[1]))}, Observers(), threads=1)
def send(text):
    sender.reserve(Channel.SMS).fill(Job(Channel.SMS, "p", False, lambda: Message(Channel.SMS, "+1", text), "+1"))
send("parent")
sender.drain()
if os.fork() == 0:
    for _ in range(50):
        send("child")
    sys.exit(0)
os.wait()
"""


def test_a_process_that_ends_lets_its_messages_leave_and_a_fork_has_its_own(tmp_path: Path) -> None:
    path = tmp_path / "messages"
    subprocess.run([sys.executable, "-W", "error", "-c", SCRIPT, str(path)], check=True, timeout=60)
    lines = path.read_text().splitlines()
    assert [("child" in line) for line in lines] == [False] + [True] * 50


def test_nothing_personal_shows() -> None:
    shown = repr(job("123456")) + repr(job("123456").compose())
    assert "123456" not in shown
    assert "+1500" not in shown
