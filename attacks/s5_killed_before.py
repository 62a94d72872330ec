"""S5: workers killed with money put aside for messages that then never leave."""

from __future__ import annotations

import time

from attacks.attack import Attack, Criterion
from attacks.browser import QUIET
from attacks.client import Broken
from attacks.numbers import ask_all
from attacks.target import Setup, Target

CAP = 3
GAP, HOLD = 3, 8
"""Seconds between two messages, and those for which a reservation stands: longer than two of them wait."""


def run(target: Target) -> int:
    """Kill the worker while messages wait for their turn, then count how many of the cap's are lost for good."""
    numbers = [f"+4474{number:02}123456" for number in range(2 * CAP)]
    ask_all(target, numbers[:CAP])
    if len(target.provider.wait_for(1)) != 1:
        raise Broken("the messages did not leave one by one")
    time.sleep(QUIET)  # until money is put aside for those that wait
    target.kill_workers()
    until = time.monotonic() + HOLD
    if not all(answer.status == 503 for answer in ask_all(target, numbers[CAP : CAP + 1])):
        raise Broken("nothing had been put aside when the worker was killed")
    time.sleep(until - time.monotonic())
    ask_all(target, numbers[CAP:])
    return CAP - len(target.provider.wait_for(CAP))


KILLED_BEFORE = Attack(
    "S5",
    "a worker killed before the provider is called",
    "expiring-hold",
    Criterion("messages that nobody gets and the cap counts", wins=CAP - 1, loses=(0, 0)),
    run,
    Setup(
        workers=1,
        proxied=True,
        provider=True,
        options=("--sms-rate", f"1/{GAP}s"),
        config=f'[spend.sms]\nknown_share = 0\nhold = "{HOLD}s"\n[spend.sms.caps]\nday = "{CAP}/1d"\n',
    ),
)
