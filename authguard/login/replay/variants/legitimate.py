"""Legitimate: shared addresses, stale passwords and Mondays, with nobody who attacks."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from authguard.clock import SECOND
from authguard.login.replay.record import Record
from authguard.login.replay.variants.people import DAY, HOUR, MONDAY, Habit, Person, housemates, login, town, visits

OFFICE = "203.0.113.10"
CARRIERS = tuple(f"192.0.2.{n}" for n in range(1, 11))
WORKDAYS = frozenset(range(5))
MORNING = Habit(8.5, 9.25, WORKDAYS, chance=0.95)
TWO_WEEKS = range(14)
SECOND_MONDAY = 7


def residents(random: Random, count: int = 200) -> Iterator[Record]:
    """Yield two weeks of a town of people with homes of their own, now and then on a carrier's network."""
    return visits(random, town(count, CARRIERS), TWO_WEEKS, Habit())


def office(random: Random) -> Iterator[Record]:
    """Yield two weeks of 30 people who share an address and come within three quarters of an hour."""
    return visits(random, housemates("colleague", 30, OFFICE), TWO_WEEKS, MORNING)


def carrier(random: Random) -> Iterator[Record]:
    """Yield two weeks of 300 people behind one address of a carrier, all day long."""
    return visits(random, housemates("subscriber", 300, CARRIERS[0]), TWO_WEEKS, Habit())


def stale_phone(random: Random) -> Iterator[Record]:
    """Yield the office, and a colleague whose phone tries an old password every two minutes, all of a day."""
    yield from office(random)
    owner = housemates("colleague", 1, OFFICE)[0]
    start = MONDAY + SECOND_MONDAY * DAY + 8 * HOUR
    for number in range(300):
        yield Record(start + number * 120 * SECOND, OFFICE, owner.name, False, secret="last-year")
    for hour in range(1, 9):
        yield from login(random, start + hour * HOUR + 61 * SECOND, owner, OFFICE)


def password_monday(random: Random) -> Iterator[Record]:
    """Yield town and office on the second Monday after everybody's password was changed: most try the old one first."""
    colleagues, neighbours = housemates("colleague", 30, OFFICE), town(200, CARRIERS)
    yield from visits(random, colleagues, range(SECOND_MONDAY), MORNING)
    yield from visits(random, neighbours, range(SECOND_MONDAY), Habit())
    yield from _forgetful(random, colleagues, 8.5, 9.25)
    yield from _forgetful(random, neighbours, 7.0, 12.0)


def _forgetful(random: Random, people: list[Person], begins: float, ends: float) -> Iterator[Record]:
    for person in people:
        at = MONDAY + SECOND_MONDAY * DAY + round(random.uniform(begins, ends) * HOUR)
        yield from login(random, at, person, person.addresses[0], clumsy=0.7, stale="before-monday")
