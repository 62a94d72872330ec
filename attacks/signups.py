"""Sign-ups: asking for an account, and confirming it with the code from the demo's public outbox."""

from __future__ import annotations

import re

from attacks.client import Answer, Broken, Client

PASSWORD = "the newcomer has chosen this"


def ask(client: Client, name: str, contact: str, password: str = PASSWORD) -> Answer:
    """Ask for an account."""
    return client.insist("POST", "/signup", {"name": name, "contact": contact, "password": password})


def confirm(client: Client, asked: Answer) -> Answer:
    """Confirm what was asked for last; raises ``Broken`` when no code came."""
    messages = client.send("GET", "/outbox").document["messages"]
    code = re.search(r"\b[0-9]{6}\b", messages[0]["text"]) if messages else None
    if code is None:
        raise Broken("no code came")
    return client.insist("POST", "/confirm", {"signup": asked.document["signup"], "code": code[0]})
