"""Address key: counts an account's failures per client address, so that every new address has a budget of its own."""

from __future__ import annotations

from dataclasses import replace

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.peer import client_address
from demo_app.naive.rekeyed import RekeyedGate, digest


def key_on_pair(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the account's own layer."""
    return replace(
        defenses, gate=RekeyedGate(defenses.gate, lambda identifier: digest(f"{client_address()} {identifier.lower()}"))
    )
