"""T5: a mail scanner opens the link before its reader does."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, ask_and_read, read_link
from attacks.code_setup import PLAIN
from attacks.people import ALICE
from attacks.target import Target


def run(target: Target) -> int:
    """Open the link as scanners do, then as the reader; count readers who don’t get in."""
    asked = ask_and_read(Browser(target.client(ALICE.address)), target, ALICE.contact, ALICE.contact)
    link = read_link(asked.text)
    scanner = target.client("198.51.100.77")
    for method in ("HEAD", "GET", "GET"):
        scanner.send(method, link)
    reader = Browser(target.client(ALICE.address))
    reader.client.send("GET", link)
    return int(not reader.post(link, {}).right)


SCANNER = Attack(
    "T5",
    "a mail scanner opens the link",
    "link-button",
    Criterion("readers kept out", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
