"""Proxy settings: what a configuration can say, and what is refused before the first request."""

from __future__ import annotations

from typing import Any

import pytest

from authguard.errors import ConfigurationError
from authguard.identity import ProxyTrust, TrustMode, client_address
from authguard.identity.topologies import PRESETS


def test_the_default_believes_nobody() -> None:
    assert ProxyTrust() == ProxyTrust.none() == ProxyTrust.parse("none") == ProxyTrust.parse({})
    assert client_address("10.0.0.1", [("X-Forwarded-For", "6.6.6.6")], ProxyTrust()).ip == "10.0.0.1"


@pytest.mark.parametrize(
    ("setting", "trust"),
    [
        ("count=2", ProxyTrust.count(2)),
        (" cidr=10.0.0.0/8, 192.168.0.1 ", ProxyTrust.cidr(["10.0.0.0/8", "192.168.0.1"])),
        ("cidr=[10.0.0.0/8,fd00::/8]", ProxyTrust.cidr(["10.0.0.0/8", "fd00::/8"])),
        ("nginx", ProxyTrust.preset("nginx")),
        ({"preset": "nginx"}, ProxyTrust.preset("nginx")),
        ({"preset": "nginx", "trusted": ["172.18.0.0/16"]}, ProxyTrust.preset("nginx", trusted=("172.18.0.0/16",))),
        (
            {"mode": "single", "header": "X-Real-IP", "trusted": ["10.0.0.1"]},
            ProxyTrust.single("x-real-ip", ["10.0.0.1"]),
        ),
        ({"mode": "count", "header": "Forwarded", "n": 1}, ProxyTrust(TrustMode.COUNT, header="forwarded", n=1)),
    ],
)
def test_settings(setting: Any, trust: ProxyTrust) -> None:
    assert ProxyTrust.parse(setting) == trust


@pytest.mark.parametrize(
    "setting",
    [
        "apache",
        "count",
        "count=0",
        "count=-1",
        "count=21",
        "count=\u0661",
        "count=two",
        "cidr=",
        "cidr=[,]",
        "cidr=nonsense",
        "cidr=10.0.0.1/8",
        "cidr=0.0.0.0/0",
        "cidr=::/0",
        "cidr=128.0.0.0/1",
        "cidr=::ffff:0:0/96",
        "cidr=::/8",
        "weight=3",
        7,
        ["nginx"],
        {"preset": "apache"},
        {"preset": ["nginx"]},
        {"trusted": ["10.0.0.0/8"]},
        {"mode": "guess"},
        {"mode": "cidr"},
        {"mode": "single", "header": "x-real-ip"},
        {"mode": "cidr", "trusted": "10.0.0.0/8"},
        {"mode": "cidr", "trusted": [10]},
        {"mode": "cidr", "trusted": 10},
        {"mode": "cidr", "trust": ["10.0.0.0/8"]},
        {"mode": "cidr", "header": "x-real-ip"},
        {"mode": "cidr", "header": "X_Forwarded_For"},
        {"mode": "cidr", "header": ""},
        {"mode": "cidr", "header": None},
        {"mode": "cidr", "n": -1},
        {"mode": "cidr", "trust_unix": "yes"},
        {"mode": "count"},
        {"mode": "count", "n": True},
        {"mode": "count", "n": "2"},
        {"mode": "single", "header": "x-forwarded-for"},
        {"mode": "single", "header": "x-real-ip", "n": 2},
        {"mode": "none", "trusted": ["10.0.0.0/8"]},
    ],
)
def test_a_wrong_setting_fails_at_start(setting: Any) -> None:
    with pytest.raises(ConfigurationError) as caught:
        ProxyTrust.parse(setting)
    assert len(str(caught.value)) > 20


PEERS = {
    # preset: (the proxy's address, what the proxies append to a header that said 6.6.6.6)
    "nginx": ("127.0.0.1", "6.6.6.6, 198.51.100.9"),
    "cloudflare+nginx": ("127.0.0.1", "6.6.6.6, 198.51.100.9, 172.64.1.1"),
    "aws-alb": ("10.0.3.4", "6.6.6.6, 198.51.100.9:40312"),
    "heroku": ("10.1.2.3", "6.6.6.6, 198.51.100.9"),
    "kubernetes-ingress": ("10.244.0.7", "198.51.100.9"),
}


def test_every_preset_is_tried() -> None:
    assert set(PRESETS) == {"none", *PEERS}


@pytest.mark.parametrize("preset", PEERS)
def test_a_preset_finds_the_client_and_not_what_it_claims(preset: str) -> None:
    peer, forwarded = PEERS[preset]
    client = client_address(peer, [("X-Forwarded-For", forwarded)], ProxyTrust.parse(preset))
    assert (client.ip, client.status) == ("198.51.100.9", "ok")


@pytest.mark.parametrize("preset", sorted(set(PEERS) - {"heroku"}))
def test_a_preset_does_not_believe_a_stranger(preset: str) -> None:
    client = client_address("198.51.100.9", [("X-Forwarded-For", "6.6.6.6")], ProxyTrust.parse(preset))
    assert (client.ip, client.status) == ("198.51.100.9", "untrusted_peer")


def test_cloudflare_bypassed() -> None:
    headers = [("X-Forwarded-For", "6.6.6.6, 198.51.100.9")]
    assert client_address("127.0.0.1", headers, ProxyTrust.parse("cloudflare+nginx")).ip == "198.51.100.9"


def test_code_on_cloudflares_own_network_cannot_choose_its_address() -> None:
    headers = [("X-Forwarded-For", "6.6.6.6, 2a06:98c0:3600::103, 172.64.1.1")]
    client = client_address("127.0.0.1", headers, ProxyTrust.parse("cloudflare+nginx"))
    assert client.ip == "2a06:98c0:3600::103"


def test_a_client_beside_nginx_cannot_choose_its_address() -> None:
    headers = [("X-Forwarded-For", "6.6.6.6, 127.0.0.1")]
    assert client_address("127.0.0.1", headers, ProxyTrust.parse("nginx")).ip == "127.0.0.1"


def test_reprs_show_no_masks() -> None:
    assert "networks" not in repr(ProxyTrust.cidr(["10.0.0.0/8"]))
