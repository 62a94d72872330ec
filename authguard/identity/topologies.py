"""Topologies: the proxies people really put in front of an application, as ready-made trust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from authguard.errors import ConfigurationError
from authguard.identity.proxies import ProxyTrust, TrustMode

LOOPBACK = ("127.0.0.0/8", "::1")
PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
"""RFC 1918 and RFC 4193: where a load balancer of one's own network connects from."""

CLOUDFLARE = (
    "173.245.48.0/20",
    "103.21.244.0/22",
    "103.22.200.0/22",
    "103.31.4.0/22",
    "141.101.64.0/18",
    "108.162.192.0/18",
    "190.93.240.0/20",
    "188.114.96.0/20",
    "197.234.240.0/22",
    "198.41.128.0/17",
    "162.158.0.0/15",
    "104.16.0.0/13",
    "104.24.0.0/14",
    "172.64.0.0/13",
    "131.0.72.0/22",
    "2400:cb00::/32",
    "2606:4700::/32",
    "2803:f800::/32",
    "2405:b500::/32",
    "2405:8100::/32",
    "2a06:98c0::/29",
    "2c0f:f248::/32",
)
"""Cloudflare's edge, from https://www.cloudflare.com/ips-v4 and /ips-v6 (unchanged since 2021)."""

_PRESETS: dict[str, dict[str, Any]] = {
    "none": {},
    # One nginx on the same machine that appends with $proxy_add_x_forwarded_for. n=1: what nginx appended is
    # the client even when the client is on this machine too, so a local process can't forge either.
    "nginx": {"mode": TrustMode.CIDR, "trusted": LOOPBACK, "trust_unix": True, "n": 1},
    # n=2: code running on Cloudflare's own network connects from its ranges, and without the bound the
    # header it sends would be walked into.
    "cloudflare+nginx": {"mode": TrustMode.CIDR, "trusted": (*LOOPBACK, *CLOUDFLARE), "trust_unix": True, "n": 2},
    # The balancer appends (routing.http.xff_header_processing.mode=append, its default), sometimes with a port.
    "aws-alb": {"mode": TrustMode.COUNT, "trusted": PRIVATE, "n": 1},
    # The router appends, and nothing but the router can reach a dyno; its addresses are not published.
    "heroku": {"mode": TrustMode.COUNT, "n": 1},
    # ingress-nginx replaces the header by the address that connected to it (use-forwarded-headers=false).
    "kubernetes-ingress": {"mode": TrustMode.COUNT, "trusted": PRIVATE, "n": 1},
}

PRESETS = tuple(_PRESETS)
"""The names :meth:`ProxyTrust.preset` takes."""

_FIELDS = frozenset({"mode", "header", "trusted", "n", "trust_unix"})


def preset_settings(name: object) -> dict[str, Any]:
    """Return the fields of a preset; raises :class:`ConfigurationError` for a name it does not have."""
    settings = _PRESETS.get(name) if isinstance(name, str) else None
    if settings is None:
        raise ConfigurationError(
            f"proxy preset {name!r} is unknown; choose one of {', '.join(PRESETS)}, 'count=N' or 'cidr=…'"
        )
    return settings


def parse_trust(setting: str | Mapping[str, Any]) -> ProxyTrust:
    """Return the trust that a configuration value describes: see :meth:`ProxyTrust.parse`."""
    if isinstance(setting, str):
        return _parse_text(setting.strip())
    if not isinstance(setting, Mapping):
        raise ConfigurationError("the proxy setting must be text such as 'nginx', or a table")
    fields = dict(setting)
    base = preset_settings(fields.pop("preset")) if "preset" in fields else {}
    if unknown := sorted(str(key) for key in fields if key not in _FIELDS):
        raise ConfigurationError(
            f"proxy setting {unknown[0]!r} is unknown; there are preset, {', '.join(sorted(_FIELDS))}"
        )
    if not base and fields and "mode" not in fields:
        raise ConfigurationError("a proxy table needs 'preset' or 'mode'")
    settings = {**base, **fields}
    trust = ProxyTrust(**settings)
    if trust.mode in (TrustMode.CIDR, TrustMode.SINGLE) and not trust.trust_unix and "trusted" not in settings:
        raise ConfigurationError(
            f"mode {trust.mode.value!r} believes only the proxies listed in 'trusted'; list them, or choose 'none'"
        )
    return trust


def _parse_text(text: str) -> ProxyTrust:
    name, equals, value = text.partition("=")
    if not equals:
        return ProxyTrust.preset(name)
    if name == "count":
        if not (value.isascii() and value.isdigit() and len(value) <= 2):
            raise ConfigurationError("write the number of proxies as in 'count=1'")
        return ProxyTrust.count(int(value))
    if name == "cidr":
        trusted = [part for part in (raw.strip() for raw in value.strip("[] ").split(",")) if part]
        if not trusted:
            raise ConfigurationError("'cidr=' names no proxy; write their networks, as in 'cidr=10.0.0.0/8', or 'none'")
        return ProxyTrust.cidr(trusted)
    raise ConfigurationError(f"proxy setting {name!r} is unknown; write a preset, 'count=N' or 'cidr=network,…'")
