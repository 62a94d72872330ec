"""Optional address: counts the address where a library finds one in the header, and no address where it finds none."""

from __future__ import annotations

from flask import Flask, request
from werkzeug.http import parse_list_header

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import HandCounter, count_by_hand
from demo_app.naive.peer import network


class OptionalAddressCounter(HandCounter):
    """Parses X-Forwarded-For as a list of quoted strings, which it is not: a quote left open makes it empty."""

    def client(self) -> str:
        """Return the last entry; nothing without a header that can be read."""
        hops = parse_list_header(request.headers.get("X-Forwarded-For", ""))
        return network(hops[-1]) if hops else ""


def count_if_found(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the reading of a header that may be missing, doubled or broken."""
    return count_by_hand(app, defenses, OptionalAddressCounter)
