"""Settings: everything that ``authguard.toml`` says, as one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from authguard.errors import ConfigurationError
from authguard.identity import ProxyTrust
from authguard.policy.identity_table import IdentitySettings, read_identity_table
from authguard.policy.model import Policy
from authguard.policy.policy_table import read_policy_tables
from authguard.policy.presets import PRESETS
from authguard.policy.table import Table


@dataclass(frozen=True, slots=True)
class Settings:
    """What the file says. ``proxies`` is ``None`` where it doesn't say which proxies are trusted.

    ``spend`` is for :func:`authguard.spend.read_channels` and ``codes`` for :func:`authguard.otp.rules.read_rules`:
    this room is below both.
    """

    policies: Mapping[str, Policy] = field(default_factory=lambda: dict(PRESETS))
    identity: IdentitySettings = field(default_factory=IdentitySettings)
    proxies: ProxyTrust | None = None
    spend: Mapping[str, Any] = field(default_factory=dict)
    codes: Mapping[str, Any] = field(default_factory=dict)


def merge_settings(document: Mapping[str, Any], file: str) -> Settings:
    """Return the shipped settings with a parsed ``document`` merged in, not yet checked for doubtful policies.

    The region of ``[identity]`` becomes that of every policy without one of its own.
    """
    top = Table(document, file)
    policies = read_policy_tables(top)
    identity = read_identity_table(top)
    proxies = _read_proxies(top)
    spend: dict[str, Any] = top.take("spend", dict, {})
    codes: dict[str, Any] = top.take("codes", dict, {})
    top.finish("policies, identity, proxies, spend, codes")
    if identity.default_region is not None:
        policies = {
            name: policy if policy.default_region else replace(policy, default_region=identity.default_region)
            for name, policy in policies.items()
        }
    return Settings(policies, identity, proxies, spend, codes)


def _read_proxies(top: Table) -> ProxyTrust | None:
    if not top.has("proxies"):
        return None
    table = top.table("proxies")
    name = table.take("trust", str, None, "'nginx'")
    if name is not None:
        table.finish("trust alone, or the fields of a trust of your own")
    try:
        return ProxyTrust.parse(table.rest() if name is None else name)
    except ConfigurationError as error:
        raise table.complaint("trust" if name is not None else None, f"can't work: {error}") from None
