"""Tenant key: gives each tenant counters of its own, and believes the Host header about which tenant that is."""

from __future__ import annotations

from dataclasses import replace

from flask import Flask, request

from demo_app.contact import fold
from demo_app.gate import Defenses
from demo_app.naive.rekeyed import RekeyedGate, digest


def key_on_host(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the one cap that a destination has whichever tenant a message is for."""
    return replace(
        defenses, gate=RekeyedGate(defenses.gate, lambda identifier: digest(f"{request.host} {fold(identifier)}"))
    )
