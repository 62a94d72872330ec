"""S11: workers killed again and again while they wait for the provider's answer."""

from __future__ import annotations

import time

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.numbers import ask_all
from attacks.provider import SILENT
from attacks.target import Setup, Target

CAP = 2
ROUNDS = 5
HOLD = 3
"""Seconds for which a reservation stands: what is spent stays so for longer."""


def run(target: Target) -> int:
    """Kill the worker as soon as the provider has the message, each time; count what it sent."""
    target.provider.behave(SILENT)
    for turn in range(ROUNDS):
        (answer,) = ask_all(target, [f"+4474{turn:02}123456"])
        if answer.status == 503:
            break
        if len(target.provider.wait_for(turn + 1)) <= turn:
            raise Broken("a message that was promised never left")
        target.kill_workers()
        time.sleep(HOLD)
    return len(target.provider.sent())


KILLED_DURING = Attack(
    "S11",
    "workers killed during the provider’s call",
    "spent-first",
    Criterion("messages within a day", wins=ROUNDS, loses=(1, CAP)),
    run,
    Setup(
        workers=1,
        proxied=True,
        provider=True,
        config=f'[spend.sms]\nknown_share = 0\nhold = "{HOLD}s"\n[spend.sms.caps]\nday = "{CAP}/1d"\n',
    ),
)
