"""N8: codes to one phone, each asked for at another tenant, which is what the client writes into the Host header."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.crowd import address, in_turn
from attacks.target import Setup, Target

PHONE = "+447700900177"
TENANTS = 40


def run(target: Target) -> int:
    """Sign up with the phone once at each tenant, from everywhere, and count what it got."""
    fields = {"name": "nobody", "contact": PHONE, "password": "some words that nobody uses"}
    calls = [
        partial(
            target.client(address(number)).insist, "POST", "/signup", fields, {"Host": f"team{number}.lantern.example"}
        )
        for number in range(TENANTS)
    ]
    in_turn(calls)
    messages = target.client(address(TENANTS)).send("GET", "/outbox").document["messages"]
    return sum(message["recipient"] == PHONE for message in messages)


TENANT_HOPPING = Attack(
    "N8",
    "tenants of the client’s choice",
    "shared-cap",
    Criterion("messages to one phone", wins=30, loses=(1, 3)),
    run,
    Setup(proxied=True),
)
