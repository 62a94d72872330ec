"""L4: failures all over the site, so that everybody is asked for a challenge."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.crowd import address, in_turn
from attacks.people import ALICE, BOB, DMITRI, MALLORY
from attacks.target import Setup, Target

ACCOUNTS = 40
OWNERS = (ALICE, BOB, DMITRI)


def run(target: Target) -> int:
    """Fail on forty accounts until strangers are challenged, and count the owners that are, in their own browsers."""
    browsers = [owner.browser(target) for owner in OWNERS]
    in_turn(
        [
            partial(target.client(address(number)).login, f"user{number}", f"guess {number}")
            for number in range(ACCOUNTS)
        ]
    )
    if not MALLORY.log_in(target).challenged:
        raise Broken("the alarm was never raised")
    answers = [owner.log_in(target, browser) for owner, browser in zip(OWNERS, browsers, strict=True)]
    return sum(not answer.right for answer in answers)


FORCED_CHALLENGE = Attack(
    "L4",
    "challenges forced on everybody",
    "quiet-alarm",
    Criterion("owners challenged or kept out", wins=len(OWNERS), loses=(0, 0)),
    run,
    Setup(workers=4, proxied=True),
)
