"""S4: codes to numbers in sequence, none of which is ever used."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.code_setup import PLAIN
from attacks.numbers import text_all
from attacks.target import Target

NUMBERS = 40


def run(target: Target) -> int:
    """Have a code sent to each number of a range, and count those that got one."""
    return len(text_all(target, [f"+447400555{number:03}" for number in range(NUMBERS)]))


RANGE = Attack(
    "S4",
    "a range of numbers in sequence",
    "range-cap",
    Criterion("messages to one range", wins=40, loses=(1, 20)),
    run,
    PLAIN,
)
