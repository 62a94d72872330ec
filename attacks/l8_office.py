"""L8: three invented names an hour from an office's address, so that nobody there can log in."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.people import ALICE, BOB, CAROL
from attacks.target import Setup, Target

OFFICE = "192.0.2.77"
NAMES = 3


def run(target: Target) -> int:
    """Fail on three names at the office; count who is refused there, as a known device or as a stranger.

    A known device has to get in. A stranger may be asked for a challenge.
    """
    browsers = {person: person.browser(target) for person in (ALICE, BOB)}
    for number in range(NAMES):
        target.client(OFFICE).login(f"nobody {number}", f"guess {number}")
    owners = [person.log_in(target, browser, OFFICE).right for person, browser in browsers.items()]
    stranger = CAROL.log_in(target, address=OFFICE)
    return [*owners, stranger.right or stranger.challenged].count(False)


OFFICE_CLOSED = Attack(
    "L8",
    "three invented names at an office",
    "step-up",
    Criterion("people at the office refused", wins=3, loses=(0, 0)),
    run,
    Setup(proxied=True),
)
