"""People: who they are, where they log in from, and how they mistype."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from authguard.clock import SECOND
from authguard.login.replay.record import Record

MONDAY = 1_704_067_200 * SECOND
"""Monday, 1 January 2024, 00:00 UTC: where made-up time begins."""
HOUR = 3600 * SECOND
DAY = 24 * HOUR
CLUMSY = 0.12
"""Share of visits that begin with a mistyped password, as in the recorded month."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an account, and the addresses they log in from, the usual one first."""

    name: str
    password: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Habit:
    """When people come: between two hours of the day, on some days of the week, with a ``chance`` each day.

    Some are not at their first address, but ``elsewhere``. Some come ``afresh``: with a new or a private browser that
    brings nothing along.
    """

    begins: float = 7.0
    ends: float = 23.0
    weekdays: frozenset[int] = frozenset(range(7))
    chance: float = 0.85
    elsewhere: float = 0.2
    afresh: float = 0.03


def town(count: int, networks: Sequence[str]) -> list[Person]:
    """Return ``count`` people with a home each, who also go out to one of the shared ``networks``."""
    return [
        Person(f"resident{n}", f"secret-{n}", (f"198.18.{n // 8}.{n % 8 + 1}", networks[n % len(networks)]))
        for n in range(count)
    ]


def housemates(prefix: str, count: int, address: str) -> list[Person]:
    """Return ``count`` people who share one address."""
    return [Person(f"{prefix}{n}", f"secret-{prefix}-{n}", (address,)) for n in range(count)]


def visits(random: Random, people: Iterable[Person], days: range, habit: Habit) -> Iterator[Record]:
    """Yield the logins of ``people``: once on each day they come."""
    for day in days:
        if day % 7 not in habit.weekdays:
            continue
        for person in people:
            if random.random() < habit.chance:
                at = MONDAY + day * DAY + round(random.uniform(habit.begins, habit.ends) * HOUR)
                away = len(person.addresses) > 1 and random.random() < habit.elsewhere
                device = f"{person.name}-{day}" if random.random() < habit.afresh else ""
                yield from login(random, at, person, person.addresses[1 if away else 0], device=device)


def login(
    random: Random,
    at: int,
    person: Person,
    address: str,
    clumsy: float = CLUMSY,
    stale: str | None = None,
    device: str = "",
) -> Iterator[Record]:
    """Yield one visit: perhaps a wrong password or two, then the right one, seconds apart.

    ``stale`` is the password that is tried first where it isn't a mistyped one.
    """
    wrong = random.choice((1, 1, 2)) if random.random() < clumsy else 0
    for number in range(wrong):
        guess = stale if stale is not None else f"{person.password}-mistyped-{number}"
        yield Record(at, address, person.name, False, secret=guess, device=device)
        at += round(random.uniform(4, 15) * SECOND)
    yield Record(at, address, person.name, True, secret=person.password, device=device)
