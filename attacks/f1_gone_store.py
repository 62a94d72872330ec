"""F1: a store that hangs with its connections open, and then dies: does the guard hang, or open?"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from statistics import median

from attacks.attack import Attack, Criterion
from attacks.client import Answer, Broken, Silent
from attacks.crowd import count_reached
from attacks.people import ALICE, BOB, MALLORY
from attacks.target import Setup, Target

LIMIT = 5
HANGING, DEAD = 4, 30
"""Guesses at a hanging store and at a dead one."""
LATE = 0.1
"""Seconds that a decision may take longer than with a store in good health."""
GIVE_UP = 1.5
"""Seconds after which nobody waits for an answer any more."""


def run(target: Target) -> int:
    """Count what gets through, and every answer of a phase in which the typical one comes too late."""
    attacker = target.client(MALLORY.address)
    healthy = [attacker.login(BOB.contact, f"guess {number}") for number in range(LIMIT)]
    if count_reached(healthy) < LIMIT:
        raise Broken("the store was not in good health to begin with")
    limit = max(answer.seconds for answer in healthy) + LATE
    target.server.freeze()
    hanging = _guess(target, "hanging", HANGING)
    target.server.kill()
    dead = _guess(target, "dead", DEAD)
    reached = count_reached(answer for answer in (*hanging, *dead) if answer is not None)
    return reached + _count_late(hanging, limit) + _count_late(dead, limit)


def _guess(target: Target, word: str, guesses: int) -> list[Answer | None]:
    attacker = target.client(MALLORY.address, timeout=GIVE_UP)
    answers: list[Answer | None] = []
    for number in range(guesses):
        answers.append(None)
        with suppress(Silent):
            answers[-1] = attacker.login(ALICE.contact, f"{word} {number}")
    return answers


def _count_late(answers: Sequence[Answer | None], limit: float) -> int:
    # The typical answer, not each: any one may be late on a busy machine.
    typical = median(GIVE_UP if answer is None else answer.seconds for answer in answers)
    return len(answers) if typical > limit else 0


GONE_STORE = Attack(
    "F1",
    "a store that hangs, then dies",
    "deadline",
    Criterion("guesses at one account, or answers too late", wins=DEAD, loses=(1, LIMIT)),
    run,
    Setup(workers=2, proxied=True, fail_mode="local", redis=(), timed=True),
)
