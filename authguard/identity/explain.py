"""Explanations: which address a request is seen under, and why, hop by hop, for an operator's eyes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from authguard.identity.client import ClientAddress, Finding, Trace, find_client
from authguard.identity.proxies import ProxyTrust

FORWARDING_HEADERS = (
    "x-forwarded-for",
    "forwarded",
    "x-real-ip",
    "cf-connecting-ip",
    "true-client-ip",
    "x-client-ip",
    "fastly-client-ip",
    "x-cluster-client-ip",
    "x_forwarded_for",
)
"""Headers that claim a client's address; an explanation says when one arrived that is not read."""

_LONGEST_SHOWN = 120


@dataclass(frozen=True, slots=True)
class AddressStep:
    """One step of the search: ``where`` (``peer`` or a header's name), the ``text`` found there, and what it means."""

    where: str
    text: str = field(repr=False)
    why: str

    def __str__(self) -> str:
        """Return the step as one printable line; it shows addresses, so it is for a terminal and not for a log."""
        shown = self.text if len(self.text) <= _LONGEST_SHOWN else self.text[:_LONGEST_SHOWN] + "…"
        return f"{self.where}: {ascii(shown)[1:-1].strip()} ({self.why})" if shown else f"{self.where}: {self.why}"


@dataclass(frozen=True, slots=True)
class AddressExplanation:
    """The client's address, the steps that led to it, and the headers that made the same claim and were not read."""

    client: ClientAddress
    steps: tuple[AddressStep, ...]
    unread: tuple[str, ...]

    def lines(self) -> tuple[str, ...]:
        """Return the whole explanation as printable lines, the answer last."""
        unread = tuple(f"{name}: sent, and not read: anybody can send it" for name in self.unread)
        answer = f"client: {self.client.ip or 'unknown'} (status {self.client.status.value})"
        return (*map(str, self.steps), *unread, answer)


def explain_address(
    remote_addr: str | None, headers: Iterable[tuple[str, str]], trust: ProxyTrust
) -> AddressExplanation:
    """Return what :func:`~authguard.identity.client.client_address` finds, with every step it took.

    The arguments are the same. Both run the same search, so an explanation can't differ from what counts.
    """
    pairs = list(headers)
    trace: Trace = []
    client = find_client(remote_addr, pairs, trust, trace)
    read = {where for where, _, finding in trace if finding is not Finding.ABSENT}
    sent = {name.lower() for name, _ in pairs}
    unread = tuple(name for name in FORWARDING_HEADERS if name in sent and name not in read)
    return AddressExplanation(
        client, tuple(AddressStep(where, text, finding.value) for where, text, finding in trace), unread
    )
