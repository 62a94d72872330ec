"""S1: messages to ever new numbers."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.numbers import text_all
from attacks.target import Setup, Target

NUMBERS = 30


def run(target: Target) -> int:
    """Have a code sent to each of many numbers in ranges of their own, and count those that got one."""
    return len(text_all(target, [f"+4474{number:02}123456" for number in range(NUMBERS)]))


MANY_NUMBERS = Attack(
    "S1",
    "messages to ever new numbers",
    "spending-cap",
    Criterion("messages within a day", wins=20, loses=(1, 10)),
    run,
    Setup(proxied=True, config='[spend.sms.caps]\nday = "10/1d"\n'),
)
