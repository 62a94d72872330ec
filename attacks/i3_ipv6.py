"""I3: another IPv6 address for every try: inside one /64, and over the /64s of one /48."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.crowd import count_reached, in_turn
from attacks.target import Setup, Target

TRIES = 60
"""In each network, a multiple of the limit. A thousand would be hashed for minutes, without the defense."""
LIMIT = 20
LIMITS = f"""
[policies.login.layers.subnet]
limit = "{LIMIT}/15m"
[policies.login.layers.site]
limit = "{LIMIT}/15m"
"""


def run(target: Target) -> int:
    """Try one password on many accounts, never twice from the same address."""
    inside = [f"2a00:1450:4001:1::{number:x}" for number in range(1, TRIES + 1)]
    across = [f"2a00:1450:5001:{number:x}::1" for number in range(1, TRIES + 1)]
    calls = [
        partial(target.client(address).login, f"user{number}", "password1")
        for number, address in enumerate((*inside, *across))
    ]
    return count_reached(in_turn(calls, threads=2))


IPV6_ROTATION = Attack(
    "I3",
    "IPv6 addresses rotated",
    "networks",
    Criterion("accounts tried from two networks", wins=2 * TRIES - LIMIT, loses=(1, 2 * LIMIT)),
    run,
    Setup(proxied=True, config=LIMITS, dropped=("alarm", "same-secret")),
)
