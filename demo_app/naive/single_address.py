"""Single address: takes each IPv6 address for a client of its own, of which a customer has 18 quintillion."""

from __future__ import annotations

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import HandCounter, count_by_hand
from demo_app.naive.peer import client_address


class SingleAddressCounter(HandCounter):
    """Counts whole addresses."""

    def client(self) -> str:
        """Return the address as it is."""
        return client_address()


def count_single_addresses(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the networks that IPv6 addresses are counted by."""
    return count_by_hand(app, defenses, SingleAddressCounter)
