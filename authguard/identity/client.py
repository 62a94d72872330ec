"""Clients: the address a request comes from, as far as its proxies can be believed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from authguard.identity.address import format_address, parse_node
from authguard.identity.hops import forwarded_entries, list_entries, tail
from authguard.identity.proxies import MOST_HOPS, ProxyTrust, TrustMode


class AddressStatus(StrEnum):
    """How the address was found."""

    DIRECT = "direct"
    """No proxy is configured; it is the peer's."""
    UNTRUSTED_PEER = "untrusted_peer"
    """The peer is no trusted proxy, so it is the client; no header was read."""
    OK = "ok"
    """A trusted proxy named it."""
    NO_HEADER = "no_header"
    """A trusted proxy sent no such header; it is the proxy's own."""
    DEGRADED = "degraded"
    """The header could not be believed all the way; it is the last trusted hop's."""
    NO_PEER = "no_peer"
    """There is none: the peer has no IP address, and no trusted header named one."""


_CERTAIN = frozenset({AddressStatus.DIRECT, AddressStatus.UNTRUSTED_PEER, AddressStatus.OK})


@dataclass(frozen=True, slots=True)
class ClientAddress:
    """A client's address in canonical text (``None`` exactly when ``status`` is ``no_peer``) and how it was found."""

    ip: str | None = field(repr=False)
    status: AddressStatus

    @property
    def may_be_exempted(self) -> bool:
        """Say whether an allow-list may look at it: not when it is a proxy's address standing in for a client's."""
        return self.status in _CERTAIN


class Finding(StrEnum):
    """What one step of the search found; the value is the sentence shown to an operator."""

    PEER_IS_CLIENT = "connected to this server, and no proxy is configured: this is the client"
    PEER_UNTRUSTED = "connected to this server and is no trusted proxy: this is the client, whatever its headers say"
    PEER_TRUSTED = "connected to this server and is a trusted proxy"
    PEER_UNIX = "a Unix socket, trusted by trust_unix"
    PEER_UNKNOWN = "the peer has no usable IP address: there is no client address"
    ABSENT = "the trusted proxy sent no such header: its own address stands in for the client's"
    HOP_TRUSTED = "a trusted proxy, go on to its left"
    HOP_COUNTED = "a proxy by count, go on to its left"
    HOP_CLIENT = "named by the proxy to its right: this is the client"
    HOP_INVALID = "no usable IP address: the search stops at the last trusted hop"
    TOO_FEW = "fewer entries than configured proxies: the peer's address stands in for the client's"
    ALL_TRUSTED = "every entry is a trusted proxy: the left-most one is the client"
    TOO_LONG = "too many entries or too long a header: the search stops at the last trusted hop"
    DUPLICATE = "sent more than once: the peer's address stands in for the client's"


# Every request comes by these; to look one up in its class takes as long as a step of the search.
_OK, _NONE = AddressStatus.OK, TrustMode.NONE

Trace = list[tuple[str, str, Finding]]
"""Steps taken: where (``peer`` or the header's name), the text found there, and what it was found to be."""

Found = tuple[int | None, AddressStatus]
"""An address as :func:`~authguard.identity.address.parse_node` reads it, and how it was found."""


def client_address(remote_addr: str | None, headers: Iterable[tuple[str, str]], trust: ProxyTrust) -> ClientAddress:
    """Return the client's address as far as ``trust`` believes the peer and its one header.

    ``remote_addr`` is the peer as the server gives it (WSGI ``REMOTE_ADDR``, before any middleware
    replaced it), with or without a port. ``headers`` are (name, value) pairs in order; names match in
    any case, and ``X_Forwarded_For`` is another header. Never raises for what a client sends, and looks
    at no more than the last 8 KiB and 20 entries of the header.
    """
    return find_client(remote_addr, headers, trust, None)


def find_client(
    remote_addr: str | None, headers: Iterable[tuple[str, str]], trust: ProxyTrust, trace: Trace | None
) -> ClientAddress:
    """Do what :func:`client_address` says, writing each step into ``trace`` where there is one."""
    wanted = trust.header
    length = len(wanted)
    lines = [value for name, value in headers if len(name) == length and name.lower() == wanted]
    value, status = locate_client(remote_addr, lines, trust, trace)
    return ClientAddress(None if value is None else format_address(value), status)


def locate_client(remote_addr: str | None, lines: list[str], trust: ProxyTrust, trace: Trace | None = None) -> Found:
    """Do the same where ``lines`` are already those of the one header that ``trust`` reads."""
    text = remote_addr if isinstance(remote_addr, str) else ""
    peer = _read_peer(text)
    if trust.mode is _NONE:
        _note(trace, "peer", text, Finding.PEER_UNKNOWN if peer is None else Finding.PEER_IS_CLIENT)
        return _found(peer, AddressStatus.DIRECT)
    if peer is None:
        if not trust.is_unix_peer(text):
            _note(trace, "peer", text, Finding.PEER_UNKNOWN)
            return _found(None, AddressStatus.NO_PEER)
        _note(trace, "peer", text, Finding.PEER_UNIX)
    elif not trust.trusts(peer) and (trust.networks or trust.mode is not TrustMode.COUNT):
        _note(trace, "peer", text, Finding.PEER_UNTRUSTED)
        return _found(peer, AddressStatus.UNTRUSTED_PEER)
    elif trace is not None:
        _note(trace, "peer", text, Finding.PEER_TRUSTED)
    if not lines:
        _note(trace, trust.header, "", Finding.ABSENT)
        return _found(peer, AddressStatus.NO_HEADER)
    return _SEARCHES[trust.mode](peer, lines, trust, trace)


@lru_cache(maxsize=64)
def _read_peer(text: str) -> int | None:
    """Read a peer's address. A proxy's is always the same; clients are too many to be worth remembering."""
    return parse_node(text)


def _walk(peer: int | None, lines: list[str], trust: ProxyTrust, trace: Trace | None) -> Found:
    text, cut = tail(lines)
    entries = forwarded_entries if trust.header == "forwarded" else list_entries
    last, hops = peer, 0
    for entry, start in entries(text):
        if hops == MOST_HOPS or (cut and start == 0):
            _note(trace, trust.header, entry, Finding.TOO_LONG)
            return _found(last, AddressStatus.DEGRADED)
        value = parse_node(entry)
        if value is None:
            _note(trace, trust.header, entry, Finding.HOP_INVALID)
            return _found(last, AddressStatus.DEGRADED)
        hops += 1
        if hops == trust.n or not trust.trusts(value):
            if trace is not None:
                _note(trace, trust.header, entry, Finding.HOP_CLIENT)
            return value, _OK
        if trace is not None:
            _note(trace, trust.header, entry, Finding.HOP_TRUSTED)
        last = value
    if cut or not hops:
        _note(trace, trust.header, "", Finding.TOO_LONG if cut else Finding.ABSENT)
        return _found(last, AddressStatus.DEGRADED if cut else AddressStatus.NO_HEADER)
    _note(trace, trust.header, "", Finding.ALL_TRUSTED)
    return _found(last, AddressStatus.OK)


def _count(peer: int | None, lines: list[str], trust: ProxyTrust, trace: Trace | None) -> Found:
    text, cut = tail(lines)
    entries = forwarded_entries if trust.header == "forwarded" else list_entries
    hops = 0
    for entry, start in entries(text):
        if cut and start == 0:
            break
        hops += 1
        if hops < trust.n:
            _note(trace, trust.header, entry, Finding.HOP_COUNTED)
            continue
        value = parse_node(entry)
        _note(trace, trust.header, entry, Finding.HOP_INVALID if value is None else Finding.HOP_CLIENT)
        return _found(peer, AddressStatus.DEGRADED) if value is None else _found(value, AddressStatus.OK)
    if not hops and not cut:
        _note(trace, trust.header, "", Finding.ABSENT)
        return _found(peer, AddressStatus.NO_HEADER)
    _note(trace, trust.header, "", Finding.TOO_LONG if cut else Finding.TOO_FEW)
    return _found(peer, AddressStatus.DEGRADED)


def _single(peer: int | None, lines: list[str], trust: ProxyTrust, trace: Trace | None) -> Found:
    if len(lines) > 1:
        _note(trace, trust.header, "", Finding.DUPLICATE)
        return _found(peer, AddressStatus.DEGRADED)
    value = parse_node(lines[0])
    _note(trace, trust.header, lines[0], Finding.HOP_INVALID if value is None else Finding.HOP_CLIENT)
    return _found(peer, AddressStatus.DEGRADED) if value is None else _found(value, AddressStatus.OK)


_SEARCHES = {TrustMode.CIDR: _walk, TrustMode.COUNT: _count, TrustMode.SINGLE: _single}


def _found(value: int | None, status: AddressStatus) -> Found:
    return value, AddressStatus.NO_PEER if value is None else status


def _note(trace: Trace | None, where: str, text: str, finding: Finding) -> None:
    if trace is not None:
        trace.append((where, text, finding))
