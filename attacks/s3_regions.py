"""S3: codes to premium numbers and to regions where nobody is expected."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.numbers import text_all
from attacks.target import Setup, Target

COSTLY = ("+19005550123", "+18765550123", "+881612345678")
ORDINARY = "+447400123456"


def run(target: Target) -> int:
    """Have codes sent to costly numbers, and to an ordinary one that must get its own; count the costly ones."""
    got = text_all(target, (*COSTLY, ORDINARY))
    if ORDINARY not in got:
        raise Broken("an ordinary number got nothing")
    return sum(number != ORDINARY for number in got)


REGIONS = Attack(
    "S3",
    "premium and unexpected regions",
    "regions",
    Criterion("messages to costly numbers", wins=3, loses=(0, 0)),
    run,
    Setup(proxied=True, config='[spend.sms]\nregions = ["GB"]\n'),
)
