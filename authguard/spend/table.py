"""Table: ``[spend.CHANNEL]`` of ``authguard.toml`` read on top of the shipped channels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from authguard.durations import parse_duration
from authguard.errors import ConfigurationError
from authguard.identity import SendRules, check_region
from authguard.identity.destination import COSTLY_TYPES, PhoneType
from authguard.limits import Limit
from authguard.policy.table import Table
from authguard.spend.channel import CHANNELS, DEFAULT_BREAKER, Breaker, Channel, Kind, budget

KEYS = (
    "kind, caps, unit, price, prices, known_share, stranger_share, known_after, known_for, countries, country, "
    "destination, range, range_digits, breaker, regions, refused_regions, refused_types, default_region, hold, keep"
)
BREAKER_KEYS = "off, floor, percent, meanwhile, window, life, rest"
_BUDGET = "'500/1h'"
_OFF = "off"


def read_channels(
    document: Mapping[str, Any],
    file: str = "authguard.toml",
    default_region: str | None = None,
    code_life: int = DEFAULT_BREAKER.life,
) -> dict[str, Channel]:
    """Return the shipped channels with the tables of ``[spend]``, which is ``document``, merged in by name.

    ``default_region`` reads national phone numbers in channels that have none of their own; ``code_life`` is what a
    breaker waits for a code to be used where its table says nothing else, in microseconds. Raises
    ``ConfigurationError`` with one sentence that names file, table and key.
    """
    top = Table(document, file, ("spend",))
    breaker = replace(DEFAULT_BREAKER, life=code_life)
    channels = {
        name: replace(channel, breaker=breaker, default_region=default_region if channel.kind is Kind.PHONE else None)
        for name, channel in CHANNELS.items()
    }
    for name in list(document):
        base = channels.get(name, Channel(name, breaker=breaker))
        channels[name] = _read_channel(name, top.table(name), base, default_region)
    return channels


def _read_channel(name: str, table: Table, base: Channel, default_region: str | None) -> Channel:
    values: dict[str, Any] = {
        "kind": table.choose("kind", Kind, base.kind),
        "caps": _caps(table.table("caps"), base.caps),
        "unit": table.take("unit", str, base.unit, "'EUR cents'"),
        "price": table.take("price", int, base.price, "1"),
        "prices": _prices(table.table("prices")),
        "countries": _countries(table.table("countries")),
        "country": _budget(table, "country", base.country),
        "destination": _budget(table, "destination", base.destination),
        "range_limit": _budget(table, "range", base.range_limit),
        "breaker": _read_breaker(table.table("breaker"), base.breaker),
        "rules": _read_rules(table),
        "default_region": table.convert("default_region", _region, base.default_region or default_region, "'GB'"),
    }
    for key in ("known_share", "stranger_share", "range_digits"):
        values[key] = table.take(key, int, getattr(base, key), "20")
    for key in ("known_after", "known_for", "hold", "keep"):
        values[key] = table.convert(key, parse_duration, getattr(base, key), "'7d'")
    table.finish(KEYS)
    try:
        return Channel(name, **values)
    except ValueError as error:
        raise table.complaint(None, f"can't work: {error}") from None


def _read_breaker(table: Table, base: Breaker | None) -> Breaker | None:
    if table.take(_OFF, bool, False):
        table.finish(f"{_OFF} alone")
        return None
    start = base or Breaker()
    values = {key: table.take(key, int, getattr(start, key), "20") for key in ("floor", "percent", "meanwhile")}
    values |= {
        key: table.convert(key, parse_duration, getattr(start, key), "'1h'") for key in ("window", "life", "rest")
    }
    table.finish(BREAKER_KEYS)
    try:
        return Breaker(**values)
    except ValueError as error:
        raise table.complaint(None, f"can't work: {error}") from None


def _read_rules(table: Table) -> SendRules:
    regions = table.take_texts("regions")
    refused = table.take_texts("refused_regions")
    types = table.choose_several("refused_types", PhoneType, tuple(sorted(COSTLY_TYPES)))
    try:
        return SendRules(frozenset(regions) if regions else None, frozenset(refused), frozenset(types))
    except ConfigurationError as error:
        raise table.complaint(None, f"can't work: {error}") from None


def _budget(table: Table, key: str, default: Limit | None) -> Limit | None:
    """Return the budget under ``key``; ``"off"`` takes the default away."""
    return table.convert(key, lambda text: None if text == _OFF else budget(text), default, _BUDGET)


def _caps(table: Table, base: Mapping[str, Limit]) -> dict[str, Limit]:
    """Return the caps of ``base`` with those that the table names in their place, less those it turns off."""
    said = {name: _budget(table, name, None) for name in table.names()}
    return {name: limit for name, limit in {**base, **said}.items() if limit is not None}


def _countries(table: Table) -> dict[str, Limit]:
    said = {_key_region(table, name): _budget(table, name, None) for name in table.names()}
    return {region: limit for region, limit in said.items() if limit is not None}


def _prices(table: Table) -> dict[str, int]:
    return {_key_region(table, name): table.take(name, int, 1, "7") for name in table.names()}


def _key_region(table: Table, name: str) -> str:
    try:
        return _region(name)
    except ValueError as error:
        raise table.complaint(name, f"is wrong: {error}") from None


def _region(text: str) -> str:
    try:
        return check_region(text)
    except ConfigurationError as error:
        raise ValueError(str(error)) from None
