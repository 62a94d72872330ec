"""Memory: counts in a dictionary, of which every worker has one."""

from __future__ import annotations

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import HandCounter, count_by_hand
from demo_app.naive.hits import PrivateHits


def count_in_memory(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the store that all workers share."""
    return count_by_hand(app, defenses, HandCounter, PrivateHits())
