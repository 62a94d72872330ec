"""L7: a stranger burns an owner’s codes; the owner comes with a fresh browser and the message that it caused."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, Mailbox, ask_and_read, read_link, wrong
from attacks.code_setup import PLAIN
from attacks.crowd import address
from attacks.people import ALICE, MALLORY
from attacks.target import Target

REQUESTS, GUESSES = 6, 5


def run(target: Target) -> int:
    """Use up the owner’s messages, guesses and failures, then follow the link that came; count owners kept out."""
    stranger = Browser(target.client(MALLORY.address))
    asked = ask_and_read(stranger, target, ALICE.contact, ALICE.contact)
    _guess(stranger, asked.token, asked.code)
    for number in range(REQUESTS):
        browser = Browser(target.client(address(number)))
        answer = browser.request(ALICE.contact)
        if answer.right:
            _guess(browser, str(answer.document["token"]), asked.code)
        browser.client.login(ALICE.contact, f"guess {number}")
    owner = Browser(target.client(ALICE.address))
    newest = next(text for text in Mailbox(target, ALICE.contact).texts() if "/continue/" in text)
    return int(not owner.post(read_link(newest), {}).right)


def _guess(browser: Browser, token: str, code: str) -> None:
    for number in range(GUESSES):
        browser.enter(ALICE.contact, token, wrong(code, number))


FRESH_OWNER = Attack(
    "L7",
    "an owner’s codes burned by a stranger",
    "unburnt-link",
    Criterion("owners kept out", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
