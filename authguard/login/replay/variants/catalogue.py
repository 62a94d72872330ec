"""Catalogue: all variants, in the order of the reports."""

from __future__ import annotations

from authguard.login.replay.variants import legitimate
from authguard.login.replay.variants.attack import Botnet, Wave
from authguard.login.replay.variants.hostile import NETWORK, SITE, spray, steady, waves
from authguard.login.replay.variants.people import DAY
from authguard.login.replay.variants.variant import Make, Variant

_HOUSE = Botnet(1, alone="100.64.9.9")
_ANYWHERE = Botnet(1)
_SIX = Botnet(1, tuple(f"100.64.{number}" for number in range(1, 7)))
"""As many as the alarm doesn't see: three failing accounts an hour of each are less than twenty."""
_SLOW = Wave(3 * 360, gap=240)
_DILUTED = Wave(145, decoys=10)
_FRESH = Wave(145, hits=0.8)
_PERFECT = Wave(145, hits=1.0)


def _all_day(gap: int, botnet: Botnet = _ANYWHERE) -> Make:
    return steady(botnet, Wave(86_400 // gap, gap))


LEGITIMATE = (
    Variant("office", "30 people behind one address, who come within 45 minutes", legitimate.office),
    Variant("carrier", "300 people behind one address of a carrier, all day", legitimate.carrier),
    Variant("stale-phone", "the office, and a phone that tries an old password all day", legitimate.stale_phone),
    Variant("password-monday", "230 people, most of whom try last week's password first", legitimate.password_monday),
)
HOSTILE = (
    Variant("botnet-1", "waves of 145 tries, one from each address", waves(Botnet(1))),
    Variant("botnet-3", "the same, three from each address", waves(Botnet(3))),
    Variant("botnet-5", "the same, five from each address", waves(Botnet(5))),
    Variant("subnet-1", "the same, one from each address of one network", waves(Botnet(1, (NETWORK,)))),
    Variant("subnet-5", "the same, five from each address of one network", waves(Botnet(5, (NETWORK,)))),
    Variant("site-1", "the same, one from each address of one IPv6 /48", waves(Botnet(1, (SITE,)))),
    Variant("networks-6", "a try every 20 seconds for a day, from six networks in turn", _all_day(20, _SIX)),
    Variant("botnet-day", "a try every ten seconds for a day, each from an address of its own", _all_day(10)),
    Variant("botnet-slow", "a try every 30 seconds for a day, each from an address of its own", _all_day(30)),
    Variant("spray", "one password on 2,000 accounts, from 500 addresses", spray),
    Variant("slow-stuffing", "one address, a try every four minutes for three days", steady(_HOUSE, _SLOW)),
    Variant("diluted", "waves from one address that logs in to own accounts in between", waves(_HOUSE, _DILUTED)),
    Variant("diluted-botnet", "the same from an address for every two tries", waves(Botnet(2), _DILUTED)),
    Variant("fresh-list", "waves from one address, of which four in five come through", waves(_HOUSE, _FRESH)),
    Variant("perfect-list", "waves from one address, of which every try comes through", waves(_HOUSE, _PERFECT)),
)
VARIANTS = (*LEGITIMATE, *HOSTILE)
WARM_UP = 6 * DAY + DAY // 2
"""The first week makes the people's devices known; what is told begins with the second."""
