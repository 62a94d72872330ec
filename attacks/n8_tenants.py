"""N8: codes to one phone, each asked for at another tenant, which is what the client writes into the Host header."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.browser import LOGIN, Mailbox
from attacks.code_setup import PLAIN
from attacks.crowd import address, in_turn
from attacks.people import CAROL
from attacks.target import Target

TENANTS = 400


def run(target: Target) -> int:
    """Ask for a code to the phone once at each tenant, from everywhere, and count what it got."""
    fields = {"identifier": CAROL.contact}
    calls = [
        partial(target.client(address(number)).insist, "POST", LOGIN, fields, {"Host": f"team{number}.lantern.example"})
        for number in range(TENANTS)
    ]
    in_turn(calls)
    return Mailbox(target, CAROL.contact).count()


TENANT_HOPPING = Attack(
    "N8",
    "tenants of the client’s choice",
    "shared-cap",
    Criterion("messages to one phone", wins=TENANTS, loses=(1, 1)),
    run,
    PLAIN,
)
