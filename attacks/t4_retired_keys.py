"""T4: tokens of a secret that has been retired, and old tokens after a rotation."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.elsewhere import ask, enter
from attacks.people import ALICE, BOB, DMITRI
from attacks.target import Setup, Target

ROTATED = "--rotate-secret"
LATER = 400
"""Seconds after which a code is too old; those of its first message, and of the next three, are not forgotten yet."""


def run(target: Target) -> int:
    """Rotate the secret once and twice, and enter codes from before; count those taken that should not be."""
    honest, old, retired = (ask(target, person) for person in (DMITRI, ALICE, BOB))
    with target.beside(ROTATED) as rotated:
        if not enter(rotated, DMITRI, *honest):
            raise Broken("a rotation refuses what was sent before it")
    with target.beside("--clock-offset", str(LATER)) as later:
        taken = enter(later, ALICE, *old)
    with target.beside(ROTATED) as rotated:
        return taken + enter(rotated, BOB, *retired)


RETIRED_KEYS = Attack(
    "T4",
    "tokens of secrets before a rotation",
    "retired-keys",
    Criterion("codes taken too late", wins=2, loses=(0, 0)),
    run,
    Setup(workers=1, proxied=True),
)
