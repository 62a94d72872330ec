"""Spelled place: one account an address as it is spelled, and one mailbox has spellings without end."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

from flask import Flask

from demo_app.contact import fold
from demo_app.gate import Defenses, Place
from demo_app.naive.passing import PassingGate
from demo_app.open_gate import OpenGate


class SpelledGate(PassingGate):
    """Leaves it to the unique index of the accounts."""

    def confirmation(self, *, id: str) -> AbstractContextManager[Place]:
        """Hold no place."""
        return OpenGate().confirmation(id=id)


def rely_on_index(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the limit on the accounts of a mailbox, and what the index is on."""
    return replace(defenses, gate=SpelledGate(defenses.gate), mailbox=fold)
