"""L3: the owner's device cookie stolen, or one's own under the account's name, to guess without being counted."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import address, count_reached
from attacks.people import ALICE, BOB, MALLORY, Person
from attacks.target import Setup, Target

GUESSES = 20


def run(target: Target) -> int:
    """Guess with a stolen cookie at its owner's account, with one's own at another's; count what the better one got."""
    stolen = ALICE.browser(target)
    forged = MALLORY.browser(target) | {name: value[::-1] for name, value in stolen.items()}
    return max(_guess(target, ALICE, stolen), _guess(target, BOB, forged))


def _guess(target: Target, victim: Person, cookies: dict[str, str]) -> int:
    places = [target.client(address(number)) for number in range(GUESSES)]
    return count_reached(place.login(victim.name, f"guess {number}", cookies) for number, place in enumerate(places))


COOKIE = Attack(
    "L3",
    "device cookies stolen and forged",
    "device-lane",
    Criterion("guesses with one cookie", wins=GUESSES, loses=(1, 5)),
    run,
    Setup(proxied=True),
)
