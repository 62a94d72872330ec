"""N6: blank identifiers, to fill a counter that strangers share without knowing."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.people import DMITRI, ELENI, MALLORY
from attacks.target import Setup, Target

BLANKS = ("", " ", "\t", "\u200b", "\u3164", "\u00a0\u2003", "  ", "\ufe0f")


def run(target: Target) -> int:
    """Log in with nothing as a name until that is refused, and count who can't get in any more."""
    attacker = target.client(MALLORY.address)
    for number, blank in enumerate(BLANKS):
        attacker.login(blank, f"guess {number}")
    return sum(not person.gets_in(target) for person in (DMITRI, ELENI))


BLANK = Attack(
    "N6",
    "blank identifiers",
    "blank-check",
    Criterion("people locked out", wins=2, loses=(0, 0)),
    run,
    Setup(proxied=True),
)
