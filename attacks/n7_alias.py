"""N7: an account of the attacker's own that is counted under the victim's key, to clear the victim's failures."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser
from attacks.client import Broken
from attacks.crowd import count_reached
from attacks.people import ALICE, MALLORY
from attacks.signups import PASSWORD, sign_up
from attacks.target import Setup, Target

ALIAS = "alice+mallory@example.com"
ROUNDS = 5
GUESSES = 4


def run(target: Target) -> int:
    """Guess at the victim four times, log in to the alias, and again."""
    attacker = target.client(MALLORY.address)
    if not sign_up(Browser(attacker), target, "mallory again", ALIAS).right:
        raise Broken("the alias account could not be made")
    reached = 0
    for turn in range(ROUNDS):
        guesses = (f"guess {turn} {number}" for number in range(GUESSES))
        reached += count_reached(attacker.login(ALICE.contact, guess) for guess in guesses)
        attacker.login(ALIAS, PASSWORD)
    return reached


ALIAS_SUCCESS = Attack(
    "N7",
    "own logins under the victim’s key",
    "own-failures",
    Criterion("guesses at one account", wins=ROUNDS * GUESSES, loses=(1, 5)),
    run,
    # Where one mailbox has one account, nobody else's is counted under its key.
    Setup(proxied=True, config='[policies.signup-confirm.layers.mailbox]\nlimit = "2/365d"\n'),
)
