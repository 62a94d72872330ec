"""Account and address: failures of these two are all that is looked at, whoever asks and whatever else goes on."""

from __future__ import annotations

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import HandCounter, count_by_hand


def count_two_things(app: Flask, defenses: Defenses) -> Defenses:
    """Replace what is looked at besides: the hand-written counter as it is."""
    return count_by_hand(app, defenses, HandCounter)
