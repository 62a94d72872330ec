"""S2: messages just before a cap's hour ends and just after."""

from __future__ import annotations

import time

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.numbers import ask_all
from attacks.provider import busiest
from attacks.target import Setup, Target

HOUR = 8.0
"""Seconds that stand for one: the cap is of so many, so that nobody has to wait for longer."""
CAP = 8
LEAD = 3.0
"""Seconds before the edge at which the first half leaves."""


def run(target: Target) -> int:
    """Ask for the cap's number on both sides of the edge; count what the provider sent in its busiest hour."""
    edge = (time.time() + LEAD) // HOUR * HOUR + HOUR
    time.sleep(edge - LEAD - time.time())
    ask_all(target, [f"+4474{number:02}123456" for number in range(CAP)])
    if len(target.provider.wait_for(CAP)) < CAP or time.time() >= edge:
        raise Broken("the first half was not sent before the hour ended")
    time.sleep(edge + 0.05 - time.time())
    ask_all(target, [f"+4475{number:02}123456" for number in range(CAP)])
    sent = target.provider.wait_for(2 * CAP, seconds=1.0)
    return busiest([text.at for text in sent], HOUR)


STRADDLED_HOUR = Attack(
    "S2",
    "messages across the edge of an hour",
    "rolling-caps",
    Criterion("messages within one hour", wins=2 * CAP, loses=(1, CAP)),
    run,
    Setup(
        proxied=True,
        provider=True,
        config=f'[spend.sms]\nknown_share = 0\n[spend.sms.caps]\nhour = "{CAP}/{HOUR:.0f}s"\n',
    ),
)
