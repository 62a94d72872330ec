"""X6: twenty valid logins of one client at once, which a counter may take for guesses."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.crowd import at_once
from attacks.people import ALICE
from attacks.target import Setup, Target

LOGINS = 20
LIMITS = """
[policies.login.layers.account]
limit = "3/15m"
[policies.login.layers.attempts]
limit = "300/15m"
"""


def run(target: Target) -> int:
    """Log in with the right password twenty times at once, and count the refusals.

    For more than a few there is no room to wait in: they are told to come back, and do so as honest people do.
    """
    alice = target.client(ALICE.address, honest=True)
    answers = at_once([partial(alice.login, ALICE.name, ALICE.password)] * LOGINS)
    return sum(not answer.right for answer in answers)


VALID_LOGINS = Attack(
    "X6",
    "twenty valid logins at once",
    "joining",
    Criterion("valid logins refused", wins=1, loses=(0, 0)),
    run,
    # A limit of three: even if one worker with its four threads gets all connections, more are under way than that.
    # All attempts are counted besides, those too for which there was no room, and the client asks again after these.
    Setup(
        workers=4,
        threads=4,
        proxied=True,
        config=LIMITS,
        timed=True,
    ),
)
