"""N2: the user name and the e-mail address of one account, each with a budget of its own."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.crowd import address, count_reached, passwords
from attacks.people import ALICE
from attacks.target import Setup, Target

BUDGET = 5


def run(target: Target) -> int:
    """Use one budget up by name, then guess by e-mail, right in the end; return how many budgets that found.

    A second budget shows in nothing but the right password being taken: where there is none, nobody is told so.
    """
    reached = count_reached(
        target.client(address(number)).login(ALICE.name, f"guess {number}") for number in range(BUDGET)
    )
    if reached != BUDGET:
        raise Broken("the first budget was not used up")
    guesses = passwords(BUDGET, ALICE.password)
    answers = [target.client(address(50 + number)).login(ALICE.contact, guess) for number, guess in enumerate(guesses)]
    return 1 + answers[-1].right


TWO_NAMES = Attack(
    "N2",
    "two names of one account",
    "resolver",
    Criterion("budgets of five guesses", wins=2, loses=(1, 1)),
    run,
    Setup(proxied=True),
)
