"""TOML: ``authguard.toml`` read on top of the presets; anything odd stops the start with one sentence."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from authguard.durations import parse_duration
from authguard.errors import ConfigurationError
from authguard.limits import Algorithm, Counts, Limit, Mode
from authguard.policy.model import FailMode, Kind, Lane, Layer, Policy, Scope
from authguard.policy.presets import PRESETS
from authguard.policy.table import Table

_POLICY_KEYS = "kinds, default_region, fail_mode, hold, sensitive, unidentified, layers"
_LAYER_KEYS = "scope, limit, algorithm, burst, gaps, counts, mode, lane, distinct, share, remove"


def load_policies(path: str | Path | None = None) -> dict[str, Policy]:
    """Return the presets with the file at ``path`` merged in, layer by layer.

    Raises ``ConfigurationError`` with one sentence naming file, table and key: unreadable file, broken TOML,
    unknown key, bad duration, impossible limit.
    """
    if path is None:
        return dict(PRESETS)
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: the file can't be read: {type(error).__name__}") from None
    return read_policies(text, str(path))


def read_policies(text: str, file: str = "authguard.toml") -> dict[str, Policy]:
    """Return the presets with the TOML ``text`` merged in; ``file`` is what complaints call it."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{file}: not valid TOML: {error}") from None
    return merge_policies(document, file)


def merge_policies(document: Mapping[str, Any], file: str) -> dict[str, Policy]:
    """Return the presets with a parsed ``document`` merged in."""
    top = Table(document, file, "")
    policies = dict(PRESETS)
    for name, table in top.tables("policies"):
        policies[name] = _read_policy(table, policies.get(name) or Policy(name, ()))
    top.finish("policies")
    return policies


def _read_policy(table: Table, base: Policy) -> Policy:
    layers = {layer.name: layer for layer in base.layers}
    for name, inner in table.tables("layers"):
        if inner.take("remove", bool, False):
            inner.finish("remove alone")
            if layers.pop(name, None) is None:
                raise inner.complaint("remove", "names a layer that the preset does not have")
            continue
        layers[name] = _read_layer(inner, name, layers.get(name))
    policy = replace(
        base,
        layers=tuple(layers.values()),
        kinds=table.choose_several("kinds", Kind, base.kinds),
        default_region=table.take("default_region", str, base.default_region),
        fail_mode=table.choose("fail_mode", FailMode, base.fail_mode),
        hold=table.convert("hold", parse_duration, base.hold),
        sensitive=table.take("sensitive", bool, base.sensitive),
        unidentified=table.convert("unidentified", Limit.parse, base.unidentified),
    )
    table.finish(_POLICY_KEYS)
    if not policy.layers:
        raise table.complaint("layers", "is missing or empty; a policy without layers protects nothing")
    return policy


def _read_layer(table: Table, name: str, base: Layer | None) -> Layer:
    scopes = table.choose_several("scope", Scope, base.scopes if base else ())
    if not scopes:
        raise table.complaint("scope", f"is missing; use one of {', '.join(Scope)}, or a list of them")
    counts = table.choose("counts", Counts, base.counts if base else Counts.ATTEMPTS)
    mode = table.choose("mode", Mode, base.mode if base else Mode.ENFORCE)
    lane = table.choose("lane", Lane, base.lane if base else Lane.EVERYONE)
    distinct = table.choose("distinct", Scope, base.distinct if base else None)
    share = table.take("share", str, base.share if base else None)
    limit = _read_limit(table, base.limit if base else None)
    table.finish(_LAYER_KEYS)
    try:
        return Layer(name, scopes, limit, counts, mode, lane, distinct, share)
    except ValueError as error:
        raise table.complaint(None, f"can't work: {error}") from None


def _read_limit(table: Table, base: Limit | None) -> Limit:
    algorithm = table.choose("algorithm", Algorithm, base.algorithm if base else Algorithm.SLIDING_LOG)
    if algorithm is Algorithm.BACKOFF:
        gaps = tuple(_read_gap(table, gap) for gap in table.take("gaps", list, []))
        if not gaps and base is not None and base.gaps:
            return base
        if not gaps:
            raise table.complaint("gaps", 'is missing; backoff needs a list such as ["0s", "60s", "300s", "24h"]')
        return Limit.backoff(*gaps)
    text = table.take("limit", str, None)
    inherited = base if base is not None and base.algorithm is algorithm and text is None else None
    burst = table.take("burst", int, inherited.burst if inherited else 0)
    try:
        if text is not None:
            return Limit.parse(text, algorithm, burst)
        if base is not None and not base.gaps:
            return Limit(base.amount, base.period, algorithm, burst)
    except ValueError as error:
        raise table.complaint("limit" if text else "burst", f"is wrong: {error}") from None
    raise table.complaint("limit", "is missing; write an amount and a period, such as '5/15m'")


def _read_gap(table: Table, gap: object) -> int:
    if gap == "0s":
        return 0
    try:
        return parse_duration(gap if isinstance(gap, str) else "")
    except ValueError as error:
        raise table.complaint("gaps", f"is wrong: {error}") from None
