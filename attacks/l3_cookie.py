"""L3: the owner's device cookie stolen, or one's own under the account's name, to guess without being counted."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import address, count_reached
from attacks.people import ALICE, BOB, DMITRI, MALLORY, Person
from attacks.target import Setup, Target

GUESSES = 20


def run(target: Target) -> int:
    """Guess with a stolen cookie, one's own under the victim's name, and a forged one; count the best's guesses."""
    stolen, names, forged = (_devices(person.browser(target)) for person in (ALICE, BOB, DMITRI))
    (own,) = _devices(MALLORY.browser(target)).values()
    tried = {ALICE: stolen, BOB: dict.fromkeys(names, own), DMITRI: {name: forged[name][::-1] for name in forged}}
    return max(_guess(target, victim, cookies) for victim, cookies in tried.items())


def _devices(cookies: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in cookies.items() if name != "session"}


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
