"""S10: unused messages that close a country, and farmed numbers that drain what is kept for known users."""

from __future__ import annotations

import time

from attacks.attack import Attack, Criterion
from attacks.browser import QUIET, Browser, read_code
from attacks.client import Broken
from attacks.code_setup import FREE_SENDS
from attacks.crowd import address
from attacks.numbers import CHANGE, ask_all, move
from attacks.people import CAROL, MALLORY
from attacks.target import Setup, Target

UNUSED = 22
CAP = 60
LIFE = 1
"""Seconds in which a code is used, if it is wanted, and after which a number whose code was used counts as known."""
FARMED = ("+12025550143", "+12125550143")


def run(target: Target) -> int:
    """Have carol's number known and two of one's own, close the country, drain the rest; count carol's lost codes."""
    device = Browser(target.client(CAROL.address))
    asked = device.ask(CAROL.contact)
    if not device.enter(CAROL.contact, asked, _first_code(target, CAROL.contact)).right:
        raise Broken("carol can’t use her code even before the attack")
    _farm(target)
    ask_all(target, [f"+1201{number}5143" for number in range(200, 200 + UNUSED)])
    time.sleep(LIFE + QUIET)
    strangers = ["+12013005143", "+12013015143"]
    ask_all(target, strangers)
    ask_all(target, FARMED * (CAP // 2))
    time.sleep(QUIET)
    if target.provider.sent(strangers[1]):
        raise Broken("the country was never closed")
    return sum(_gets_none(target, browser) for browser in (device, Browser(target.client(address(0)))))


def _farm(target: Target) -> None:
    """Have messages sent to each number, and use the code."""
    account = Browser(target.client(MALLORY.address), MALLORY.browser(target))
    for number in FARMED:
        token = str(account.post(CHANGE, move(number, MALLORY)).document["token"])
        code = _first_code(target, number)
        if not account.post("/account/contact/confirm", {"contact": number, "token": token, "code": code}).right:
            raise Broken("a farmed number was refused")


def _first_code(target: Target, number: str) -> str:
    texts = target.provider.wait_for(1, to=number)
    if not texts:
        raise Broken("no message arrived")
    return read_code(texts[0].text)


def _gets_none(target: Target, browser: Browser) -> bool:
    before = len(target.provider.sent(CAROL.contact))
    browser.request(CAROL.contact)
    return len(target.provider.wait_for(before + 1, 2 * QUIET, CAROL.contact)) == before


CLOSED_COUNTRY = Attack(
    "S10",
    "a country closed, and what is left drained",
    "known-lane",
    Criterion("codes that a known user did not get", wins=2, loses=(0, 0)),
    run,
    Setup(
        proxied=True,
        provider=True,
        config=FREE_SENDS.config
        + f'[spend.sms]\nknown_after = "{LIFE}s"\n[spend.sms.breaker]\nlife = "{LIFE}s"\n'
        + f'[spend.sms.caps]\nday = "{CAP}/1d"\n',
    ),
)
