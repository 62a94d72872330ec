"""Policy tables: every ``[policies.NAME]`` of a file read on top of the presets, layer by layer."""

from __future__ import annotations

from dataclasses import replace

from authguard.durations import parse_duration
from authguard.errors import ConfigurationError
from authguard.identity import check_region
from authguard.limits import Limit
from authguard.policy.layer_table import check_table_name, read_layer
from authguard.policy.model import FailMode, Kind, Layer, Policy, Scope, Unfit
from authguard.policy.presets import PRESETS
from authguard.policy.table import Table

KEYS = "kinds, default_region, fail_mode, hold, sensitive, unidentified, digits, live_codes, layers"


def read_policy_tables(top: Table) -> dict[str, Policy]:
    """Take ``policies`` out of the whole document and return the presets with them merged in."""
    policies = dict(PRESETS)
    for name, table in top.tables("policies"):
        policies[name] = _read_policy(table, name, policies.get(name))
    return policies


def read_region(table: Table, default: str | None) -> str | None:
    """Take ``default_region`` out of ``table``, checked and in capitals."""
    region = table.take("default_region", str, None, "'GB'")
    if region is None:
        return default
    try:
        return check_region(region)
    except ConfigurationError as error:
        raise table.complaint("default_region", f"is wrong: {error}") from None


def _read_policy(table: Table, name: str, preset: Policy | None) -> Policy:
    check_table_name(table, name)
    layers = {layer.name: layer for layer in preset.layers} if preset else {}
    named = set()
    for layer_name, inner in table.tables("layers"):
        named.add(layer_name)
        layer = read_layer(inner, layer_name, layers.get(layer_name))
        if layer is None:
            del layers[layer_name]
        else:
            layers[layer_name] = layer
    if preset:
        layers = _follow(preset, layers, named)
    if not layers:
        raise table.complaint("layers", "is missing or empty; a policy without layers protects nothing")
    chosen = tuple(layers.values())
    try:
        return _read_fields(table, replace(preset, layers=chosen) if preset else Policy(name, chosen))
    except Unfit as error:
        raise table.complaint(error.key, error.reason) from None


def _follow(preset: Policy, layers: dict[str, Layer], named: set[str]) -> dict[str, Layer]:
    """Return ``layers`` in which an account's hidden twin is what its visible one became, unless it is named itself.

    The preset's layers on the identifier and on the account behind it are one limit said twice. Were only the visible
    one raised, the other would go on refusing right passwords, and never show it (law 8).
    """
    for visible in preset.layers:
        for hidden in preset.layers:
            if visible.name not in named or hidden.name in named or hidden != _hide(visible, hidden.name):
                continue
            if visible.name in layers:
                layers[hidden.name] = _hide(layers[visible.name], hidden.name)
            else:
                del layers[hidden.name]
    return layers


def _hide(layer: Layer, name: str) -> Layer:
    scopes = tuple(Scope.AUTHENTICATOR if scope is Scope.ID else scope for scope in layer.scopes)
    # A share is one counter, and this one counts something else; who shares the one shares both by these names.
    share = f"{layer.share}-authenticator" if layer.share is not None else None
    return replace(layer, name=name, scopes=scopes, share=share)


def _read_fields(table: Table, base: Policy) -> Policy:
    policy = replace(
        base,
        kinds=table.choose_several("kinds", Kind, base.kinds),
        default_region=read_region(table, base.default_region),
        fail_mode=table.choose("fail_mode", FailMode, base.fail_mode),
        hold=table.convert("hold", parse_duration, base.hold, "'2m'"),
        sensitive=table.take("sensitive", bool, base.sensitive),
        unidentified=table.convert("unidentified", Limit.parse, base.unidentified, "'10/1m'"),
        digits=table.take("digits", int, base.digits),
        live_codes=table.take("live_codes", int, base.live_codes),
    )
    table.finish(KEYS)
    return policy
