"""T3: a code taken to a machine whose clock is ninety seconds ahead, and an old one to a machine as far behind."""

from __future__ import annotations

import time

from attacks.attack import Attack, Criterion
from attacks.elsewhere import ask, enter
from attacks.people import ALICE, BOB, DMITRI
from attacks.target import Setup, Target

OFF = 90
LIFE = 10
"""Seconds that a code lives here, on both sides."""


def run(target: Target) -> int:
    """Enter a fresh code where it is late, and two too old where it is earlier; count wrong verdicts."""
    with target.beside("--clock-offset", str(OFF)) as ahead, target.beside("--clock-offset", str(-OFF)) as behind:
        fresh = ask(target, ALICE)
        wrong = not enter(ahead, ALICE, *fresh)
        old, older = ask(target, BOB), ask(ahead, DMITRI)
        time.sleep(LIFE + 1)
        return wrong + enter(behind, BOB, *old) + enter(target, DMITRI, *older)


CLOCKS = Attack(
    "T3",
    "machines whose clocks are wrong",
    "store-clock",
    Criterion("wrong verdicts on a code’s age", wins=3, loses=(0, 0)),
    run,
    Setup(workers=1, proxied=True, redis=(), config=f'[codes]\nttl = "{LIFE}s"\n'),
)
