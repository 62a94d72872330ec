"""Attack: tries by machines, from whichever addresses, on whichever accounts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from random import Random

from authguard.clock import SECOND
from authguard.login.replay.record import Origin, Record
from authguard.login.replay.variants.people import DAY, HOUR, MONDAY, Person

STUFFING = 0.17
"""Share of tries that come through, as in the recorded month."""


@dataclass(frozen=True, slots=True)
class Botnet:
    """Where the tries come from: ``stay`` tries from each address, in ``networks`` (/24, IPv6 /48) in turn or anywhere.

    ``alone`` is the address of an attacker who has one.
    """

    stay: int
    networks: tuple[str, ...] = ()
    alone: str | None = None

    def addresses(self, random: Random) -> Iterator[str]:
        """Yield the address of each try, without end."""
        networks = cycle(self.networks)
        while True:
            if self.alone is not None:
                address = self.alone
            elif self.networks:
                address = _within(next(networks), random)
            else:
                address = f"{random.randrange(1, 100)}.{random.randrange(256)}.{random.randrange(256)}.7"
            for _ in range(self.stay):
                yield address


def _within(network: str, random: Random) -> str:
    if ":" in network:
        return f"{network}:{random.randrange(1 << 16):x}::7"
    return f"{network}.{random.randrange(1, 255)}"


@dataclass(frozen=True, slots=True)
class Wave:
    """A run of ``tries``, ``gap`` seconds apart, of which the share ``hits`` comes through.

    A spray tries one ``password`` everywhere; stuffing has one for each account. ``decoys`` logs in to that many of
    the attacker's own accounts in turn, one after every second try, to look like people.
    """

    tries: int
    gap: float = 1.0
    hits: float = STUFFING
    password: str | None = None
    decoys: int = 0


def attack(random: Random, start: int, wave: Wave, addresses: Iterator[str], people: list[Person]) -> Iterator[Record]:
    """Yield a wave from ``start`` on. Accounts that don't come through are those of ``people`` or made up."""
    targets = cycle(random.sample(people, len(people)))
    for number in range(wave.tries):
        at = start + round(number * wave.gap * SECOND)
        address = next(addresses)
        succeeds = random.random() < wave.hits
        invented = not succeeds and random.random() < 0.6
        account = f"invented{random.randrange(10**9)}" if invented else next(targets).name
        secret = wave.password or f"from-a-list-{account}"
        yield Record(at, address, account, succeeds, Origin.ATTACK, secret)
        if wave.decoys and number % 2:
            own = f"decoy{number // 2 % wave.decoys}"
            yield Record(at + SECOND // 3, address, own, True, Origin.DECOY, own)


def moments(random: Random, count: int, days: range) -> list[int]:
    """Return ``count`` times in ``days``, at any hour."""
    return sorted(MONDAY + random.choice(days) * DAY + round(random.uniform(0, 23) * HOUR) for _ in range(count))
