"""O8: what the codes of the demo look like by the hundred, to whoever would guess the likely ones first."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import pairwise

from attacks.attack import Attack, Criterion
from attacks.browser import ARRIVAL, LOGIN, Mailbox
from attacks.client import Broken
from attacks.code_setup import FREE_SENDS
from attacks.crowd import address, in_turn
from attacks.people import ALICE
from attacks.target import Target

CODES, DIGITS = 960, 6
"""Codes asked for: the outbox keeps a thousand messages."""
BOUND = 70.0
"""Chi-square over ten digits (9 degrees of freedom) that even ones pass once in 6 * 10^10; seven are looked at."""
CONFIG = """
[policies.otp-send.layers.global]
remove = true
[spend.mail.caps]
day = "50000/1d"
hour = "50000/1h"
"""


def run(target: Target) -> int:
    """Have codes sent to one mailbox from everywhere; count the statistics that even digits would not show."""
    mailbox = Mailbox(target, ALICE.contact)
    fields = {"identifier": ALICE.contact}
    in_turn([partial(target.client(address(number)).insist, "POST", LOGIN, fields) for number in range(CODES)])
    codes = [re.split(r"\b", text, maxsplit=2)[1] for text in _wait_for(mailbox)]
    narrow = sum(not re.fullmatch(f"[0-9]{{{DIGITS}}}", code) for code in codes)
    columns = [[code[place : place + 1] for code in codes] for place in range(DIGITS)]
    # What a counter or a clock makes is even in every column, and follows upon what it made before.
    steps = [f"{(int(code) - int(before)) % 10**DIGITS:0{DIGITS}}"[0] for code, before in pairwise(codes)]
    return narrow + sum(chi_square(column) > BOUND for column in (*columns, steps))


def chi_square(digits: Iterable[str]) -> float:
    """Return how far ``digits`` are from being ten of a kind each (Pearson)."""
    found = Counter(digits)
    expected = found.total() / 10
    return sum((found[digit] - expected) ** 2 for digit in "0123456789") / expected


def _wait_for(mailbox: Mailbox) -> list[str]:
    until = time.monotonic() + ARRIVAL
    while len(texts := mailbox.texts()) < CODES:
        if time.monotonic() > until:
            raise Broken(f"{len(texts)} of {CODES} messages arrived")
    return texts


BIAS = Attack(
    "O8",
    "likely codes first",
    "even-codes",
    Criterion("statistics that even codes would not show", wins=1, loses=(0, 0)),
    run,
    replace(FREE_SENDS, config=FREE_SENDS.config + CONFIG),
)
