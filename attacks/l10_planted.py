"""L10: cookies planted in a victim's browser before the victim logs in, to share its standing afterwards."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.crowd import address, count_reached
from attacks.people import ALICE, MALLORY
from attacks.target import Setup, Target

LIMIT = 5


def run(target: Target) -> int:
    """Plant one's own cookies, use up the strangers' tries, and count what the planted cookies get beyond them."""
    planted = MALLORY.browser(target)
    if not ALICE.log_in(target, planted).right:
        raise Broken("the victim can’t log in with planted cookies")
    strangers = [target.client(address(number)).login(ALICE.name, f"guess {number}") for number in range(LIMIT + 1)]
    if strangers[-1].reached:
        raise Broken("the strangers’ tries are not used up")
    attacker = target.client(MALLORY.address)
    return count_reached(attacker.login(ALICE.name, f"planted {number}", planted) for number in range(LIMIT))


PLANTED = Attack(
    "L10",
    "cookies planted before the login",
    "fresh-device",
    Criterion("guesses beyond the strangers’", wins=LIMIT, loses=(0, 0)),
    run,
    Setup(proxied=True),
)
