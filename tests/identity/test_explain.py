"""Explanations, environments and watches: what an operator gets to know about the proxy setting."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from werkzeug.middleware.proxy_fix import ProxyFix

from authguard.identity import (
    Misfit,
    ProxyTrust,
    TrustWatch,
    client_address,
    explain_address,
    forwarding_headers,
    original_peer,
)
from authguard.identity.watch import ENOUGH_REQUESTS

NGINX = ProxyTrust.parse("nginx")
CHAIN = ProxyTrust.cidr(["10.0.0.0/8"])


def test_a_chain_hop_by_hop() -> None:
    headers = [("X-Forwarded-For", "6.6.6.6, 203.0.113.7, 10.0.0.2"), ("CF-Connecting-IP", "7.7.7.7")]
    explanation = explain_address("10.0.0.1", headers, CHAIN)
    assert [(step.where, step.text.strip()) for step in explanation.steps] == [
        ("peer", "10.0.0.1"),
        ("x-forwarded-for", "10.0.0.2"),
        ("x-forwarded-for", "203.0.113.7"),
    ]
    assert explanation.unread == ("cf-connecting-ip",)
    assert explanation.lines()[-1] == "client: 203.0.113.7 (status ok)"
    assert "6.6.6.6" not in "".join(explanation.lines())


@pytest.mark.parametrize(
    ("trust", "peer", "line", "word"),
    [
        (ProxyTrust(), "203.0.113.7", "6.6.6.6", "no proxy is configured"),
        (ProxyTrust(), "nonsense", "6.6.6.6", "no client address"),
        (CHAIN, "203.0.113.7", "6.6.6.6", "no trusted proxy"),
        (CHAIN, "nonsense", "6.6.6.6", "no client address"),
        (CHAIN, "10.0.0.1", None, "no such header"),
        (CHAIN, "10.0.0.1", ",", "no such header"),
        (CHAIN, "10.0.0.1", "unknown", "stops at the last trusted hop"),
        (CHAIN, "10.0.0.1", "10.0.0.2", "every entry"),
        (CHAIN, "10.0.0.1", "10.0.0.2," * 30, "too many entries"),
        (CHAIN, "10.0.0.1", "1" + "," * 9000, "too long"),
        (NGINX, "unix:", "203.0.113.7", "Unix socket"),
        (ProxyTrust.count(2), "10.0.0.1", "203.0.113.7", "fewer entries"),
        (ProxyTrust.count(2), "10.0.0.1", "203.0.113.7, 10.0.0.2", "by count"),
        (ProxyTrust.count(2), "10.0.0.1", "x, 10.0.0.2", "no usable IP"),
        (ProxyTrust.count(2), "10.0.0.1", "9" * 9000, "too long"),
        (ProxyTrust.single("x-real-ip", ["10.0.0.0/8"]), "10.0.0.1", "203.0.113.7", "this is the client"),
    ],
)
def test_every_outcome_has_its_reason(trust: ProxyTrust, peer: str, line: str | None, word: str) -> None:
    headers = [] if line is None else [(trust.header, line)]
    explanation = explain_address(peer, headers, trust)
    assert word in " ".join(explanation.lines())
    assert explanation.client == client_address(peer, headers, trust)


def test_a_doubled_header_is_explained() -> None:
    trust = ProxyTrust.single("x-real-ip", ["10.0.0.0/8"])
    explanation = explain_address("10.0.0.1", [("X-Real-IP", "1.1.1.1")] * 2, trust)
    assert "more than once" in explanation.lines()[1]


def test_an_explanation_is_printable_and_short() -> None:
    hostile = "\x1b]0;owned\x07\n" + "\u202e" * 5000
    lines = explain_address("10.0.0.1", [("X-Forwarded-For", hostile)], CHAIN).lines()
    assert all(line.isprintable() and len(line) < 900 for line in lines)


def through_proxy_fix(environ: dict[str, str]) -> dict[str, object]:
    """Return the environment as an application behind Werkzeug's ProxyFix gets it."""
    seen: dict[str, object] = {}

    def application(environ: dict[str, object], start_response: object) -> Iterable[bytes]:
        seen.update(environ)
        return []

    ProxyFix(application, x_for=1)(dict(environ), lambda *_: None)  # type: ignore[arg-type]
    return seen


@pytest.mark.parametrize("claim", ["6.6.6.6", '"6.6.6.6', '"x'])
def test_proxy_fix_is_looked_behind(claim: str) -> None:
    environ = through_proxy_fix({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": f"{claim}, 203.0.113.7"})
    assert original_peer(environ) == "127.0.0.1"
    client = client_address(original_peer(environ), forwarding_headers(environ, NGINX), NGINX)
    assert (client.ip, client.status) == ("203.0.113.7", "ok")


def test_environments_without_proxy_fix() -> None:
    assert original_peer({"REMOTE_ADDR": "203.0.113.7"}) == "203.0.113.7"
    assert original_peer({}) == original_peer({"REMOTE_ADDR": None}) == ""
    assert forwarding_headers({}, NGINX) == []
    trust = ProxyTrust.single("CF-Connecting-IP", ["10.0.0.0/8"])
    assert forwarding_headers({"HTTP_CF_CONNECTING_IP": "1.1.1.1", "HTTP_X_REAL_IP": "2.2.2.2"}, trust) == [
        ("cf-connecting-ip", "1.1.1.1")
    ]


def test_a_header_from_a_stranger_is_counted_each_time_and_told_once() -> None:
    watch = TrustWatch(CHAIN)
    headers = [("X-Forwarded-For", "1.1.1.1")]
    client = client_address("192.168.0.9", headers, CHAIN)
    for first in (True, False, False):
        misfit = watch.look(client, headers)
        assert misfit is Misfit.HEADER_FROM_STRANGER
        assert watch.is_news(misfit) is first
    assert "trusted networks" in Misfit.HEADER_FROM_STRANGER.advice
    assert watch.look(client, []) is None


def test_one_private_address_for_everybody_is_told_once() -> None:
    watch = TrustWatch(ProxyTrust())
    client = client_address("172.18.0.5", [], ProxyTrust())
    seen = [watch.look(client, []) for _ in range(3 * ENOUGH_REQUESTS)]
    assert seen.count(Misfit.SHARED_PRIVATE_ADDRESS) == 1
    assert seen.index(Misfit.SHARED_PRIVATE_ADDRESS) == ENOUGH_REQUESTS - 1
    assert "preset" in Misfit.SHARED_PRIVATE_ADDRESS.advice


@pytest.mark.parametrize("others", [["172.18.0.6"], ["203.0.113.7"]])
def test_different_addresses_are_no_sign(others: list[str]) -> None:
    watch = TrustWatch(ProxyTrust())
    for peer in ["172.18.0.5"] * 20 + others + ["172.18.0.5"] * 3 * ENOUGH_REQUESTS:
        assert watch.look(client_address(peer, [], ProxyTrust()), []) is None


def test_one_public_address_is_no_sign() -> None:
    watch = TrustWatch(ProxyTrust())
    for peer in ["203.0.113.7"] * 3 * ENOUGH_REQUESTS:
        assert watch.look(client_address(peer, [], ProxyTrust()), []) is None


def test_a_private_peer_that_forwards_is_told_of_at_once_where_no_proxy_is_configured() -> None:
    headers = [("X-Forwarded-For", "203.0.113.7")]
    watch = TrustWatch(ProxyTrust())
    for first in (True, False):
        misfit = watch.look(client_address("127.0.0.1", headers, ProxyTrust()), headers)
        assert misfit is Misfit.HEADER_FROM_PRIVATE_PEER
        assert watch.is_news(misfit) is first
    assert "AUTHGUARD_PROXIES" in Misfit.HEADER_FROM_PRIVATE_PEER.advice
    assert watch.look(client_address("203.0.113.9", headers, ProxyTrust()), headers) is None
    assert TrustWatch(NGINX).look(client_address("127.0.0.1", headers, NGINX), headers) is None


@pytest.mark.parametrize("peer", ["", "nonsense"])
def test_a_request_without_an_address_is_told_of_whatever_came_before(peer: str) -> None:
    watch = TrustWatch(ProxyTrust())
    assert watch.look(client_address("203.0.113.7", [], ProxyTrust()), []) is None
    client = client_address(peer, [], ProxyTrust())
    assert watch.cares(client.status)
    assert watch.look(client, []) is Misfit.NO_ADDRESS
    assert "Unix socket" in Misfit.NO_ADDRESS.advice
