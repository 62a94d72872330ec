"""X2: the right code fifty times at once."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, ask_and_read
from attacks.crowd import at_once
from attacks.people import ALICE
from attacks.target import Setup, Target

ENTRIES = 50


def run(target: Target) -> int:
    """Enter one right code in the browser that asked for it, fifty times at once, and count who is logged in."""
    browser = Browser(target.client(ALICE.address))
    asked = ask_and_read(browser, target, ALICE.contact, ALICE.contact)
    twins = [Browser(browser.client, dict(browser.cookies)) for _ in range(ENTRIES)]
    answers = at_once([partial(twin.enter, ALICE.contact, asked.token, asked.code) for twin in twins])
    return sum(answer.right for answer in answers)


ONE_CODE = Attack(
    "X2",
    "one right code fifty times at once",
    "single-use",
    Criterion("logins by one code", wins=2, loses=(1, 1)),
    run,
    Setup(workers=4, proxied=True),
)
