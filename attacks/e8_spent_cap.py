"""E8: a spent cap or a provider in trouble answers accounts and nobody alike, or not."""

from __future__ import annotations

import time

from attacks.attack import Attack, Criterion
from attacks.browser import LOGIN, QUIET
from attacks.client import Answer, Broken
from attacks.code_setup import FREE_SENDS
from attacks.crowd import address
from attacks.numbers import ask_all
from attacks.people import CAROL
from attacks.provider import BROKEN, SILENT, WELL
from attacks.target import Setup, Target

NOBODY = "+12015550199"
CAP, EACH = 6, 2
SLOWER = 1.5
"""Seconds that tell two answers apart: less than the demo waits for a provider that keeps quiet."""


def run(target: Target) -> int:
    """Ask for an account and for nobody, whatever is wrong with the channel; count how often the answers differ."""
    told = 0
    for asked, mood in enumerate((BROKEN, SILENT), start=1):
        target.provider.behave(mood)
        told += _tells(*_ask_both(target))
        if len(target.provider.wait_for(asked, to=CAROL.contact)) < asked:
            raise Broken("the provider was never asked")
    target.provider.behave(WELL)
    # Carol has had her share of the day: the ledger refuses, which nobody may see.
    told += _tells(*_ask_both(target))
    ask_all(target, [f"+4474{number:02}123456" for number in range(2 * CAP)])
    time.sleep(QUIET)
    known, nobody = _ask_both(target)
    if known.status != 503:
        raise Broken("the cap was never spent")
    return told + _tells(known, nobody)


def _ask_both(target: Target) -> tuple[Answer, Answer]:
    known, nobody = (
        target.client(address(place)).send("POST", LOGIN, {"identifier": number})
        for place, number in enumerate((CAROL.contact, NOBODY))
    )
    return known, nobody


def _tells(known: Answer, nobody: Answer) -> bool:
    return _read(known) != _read(nobody) or abs(known.seconds - nobody.seconds) > SLOWER


def _read(answer: Answer) -> tuple[int, dict[str, object]]:
    document = answer.document
    # Each answer has a token of its own, of one length, and a wait that is drawn at random within a tenth.
    drawn = {"token": len(document.get("token", "")), "retry_after": "retry_after" in document}
    return answer.status, {**document, **drawn}


SPENT_CAP = Attack(
    "E8",
    "a spent cap, a broken provider: who has an account?",
    "blind-cap",
    Criterion("answers that tell accounts from nobody", wins=4, loses=(0, 0)),
    run,
    Setup(
        proxied=True,
        provider=True,
        config=FREE_SENDS.config
        + f'[spend.sms]\nknown_share = 0\ndestination = "{EACH}/1d"\n[spend.sms.caps]\nday = "{CAP}/1d"\n',
        timed=True,
    ),
)
