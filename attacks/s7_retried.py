"""S7: one message asked for again and again, as a script does that gets no answer."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.client import Broken, write_cookies
from attacks.crowd import at_once
from attacks.people import CAROL
from attacks.target import Setup, Target

TRIES = 20
QUIET = 2.0
"""Seconds after which no message is under way any more."""


def run(target: Target) -> int:
    """Ask twenty times for one message, under one key; count what the provider sent."""
    headers = {**write_cookies(CAROL.browser(target)), "Idempotency-Key": "one and the same"}
    ask = partial(target.client(CAROL.address).insist, "POST", "/account/trial", {}, headers)
    # Half of them at the same moment, the others when the message is out.
    answers = at_once([ask] * (TRIES // 2))
    target.provider.wait_for(1)
    answers += [ask() for _ in range(TRIES // 2)]
    if not all(answer.right for answer in answers):
        raise Broken("a message that was asked for again was refused")
    return len(target.provider.wait_for(TRIES, QUIET))


RETRIED = Attack(
    "S7",
    "one message asked for twenty times",
    "idempotency",
    Criterion("messages to one phone", wins=TRIES, loses=(1, 1)),
    run,
    Setup(proxied=True, provider=True),
)
