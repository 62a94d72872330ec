"""Hostile: attacks in the second of two weeks of a town's life."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from authguard.login.replay.record import Record
from authguard.login.replay.variants.attack import Botnet, Wave, attack, moments
from authguard.login.replay.variants.legitimate import CARRIERS, residents
from authguard.login.replay.variants.people import DAY, HOUR, MONDAY, town
from authguard.login.replay.variants.variant import Make

SECOND_WEEK = range(7, 14)
NETWORK = "100.64.7"
SITE = "2001:db8:7"
HUNDREDS = Wave(145)
"""As long as the attacks of the recorded month."""


def waves(botnet: Botnet, wave: Wave = HUNDREDS, count: int = 10) -> Make:
    """Return what makes ``count`` waves at any time of a week."""

    def make(random: Random) -> Iterator[Record]:
        yield from residents(random)
        people, addresses = town(2000, CARRIERS), botnet.addresses(random)
        for start in moments(random, count, SECOND_WEEK):
            yield from attack(random, start, wave, addresses, people)

    return make


def steady(botnet: Botnet, wave: Wave) -> Make:
    """Return what makes one long wave, from the second Tuesday on."""

    def make(random: Random) -> Iterator[Record]:
        yield from residents(random)
        yield from attack(random, MONDAY + 8 * DAY, wave, botnet.addresses(random), town(2000, CARRIERS))

    return make


def spray(random: Random) -> Iterator[Record]:
    """Yield one password tried on 2,000 accounts from 500 addresses within half a day."""
    yield from residents(random)
    wave = Wave(2000, gap=20, hits=0.01, password="Winter2024!")
    yield from attack(random, MONDAY + 8 * DAY + 8 * HOUR, wave, Botnet(4).addresses(random), town(2000, CARRIERS))
