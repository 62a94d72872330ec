"""S6: a provider that sends the message, and doesn't answer in time."""

from __future__ import annotations

import time

from attacks.attack import Attack, Criterion
from attacks.numbers import ask_all
from attacks.provider import SILENT
from attacks.target import Setup, Target

CAP = 3
TURNS = 4
GIVEN_UP = 2.5
"""Seconds after which the demo waits for no answer any more."""


def run(target: Target) -> int:
    """Have the provider keep quiet, ask for messages again and again, and count what it sent all the same."""
    target.provider.behave(SILENT)
    for turn in range(TURNS):
        ask_all(target, [f"+4474{turn}{number}123456" for number in range(CAP)])
        if len(target.provider.wait_for((turn + 1) * CAP, seconds=GIVEN_UP)) <= turn * CAP:
            break
        time.sleep(GIVEN_UP)
    return len(target.provider.sent())


NO_ANSWER = Attack(
    "S6",
    "a provider that sends and does not answer",
    "unknown-is-spent",
    Criterion("messages within a day", wins=TURNS * CAP, loses=(1, CAP)),
    run,
    Setup(
        proxied=True,
        provider=True,
        config=f'[spend.sms]\nknown_share = 0\n[spend.sms.caps]\nday = "{CAP}/1d"\n',
    ),
)
