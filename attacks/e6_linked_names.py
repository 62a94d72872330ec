"""E6: asking under two names, to learn whether they are one account’s."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser
from attacks.code_setup import PLAIN
from attacks.people import ALICE, BOB, DMITRI
from attacks.target import Target


def _second(target: Target, address: str, first: str, second: str) -> tuple[int, int | None]:
    """Return what a client is told about ``second`` after it asked for ``first``."""
    browser = Browser(target.client(address))
    browser.request(first)
    answer = Browser(browser.client).request(second)
    return answer.status, answer.document.get("next_send_in")


def run(target: Target) -> int:
    """Ask for a name and then an address that is, or isn’t, the same account’s; count pairs that can be told apart."""
    linked = _second(target, "203.0.113.21", ALICE.name, ALICE.contact)
    foreign = _second(target, "203.0.114.22", BOB.name, DMITRI.contact)
    return int(linked != foreign)


LINKED_NAMES = Attack(
    "E6",
    "two names of one account linked by 429",
    "quiet-names",
    Criterion("pairs of names told apart", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
