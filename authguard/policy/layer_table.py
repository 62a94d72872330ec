"""Layer tables: one ``[policies.POLICY.layers.LAYER]`` read on top of the preset's layer of that name."""

from __future__ import annotations

from authguard.durations import parse_duration
from authguard.limits import Algorithm, Counts, Limit, Mode
from authguard.limits.limit import BURSTING
from authguard.policy.model import Lane, Layer, Scope, Unfit, check_name
from authguard.policy.table import Table

KEYS = "scope, limit, algorithm, burst, gaps, counts, mode, lane, distinct, share, cost, gate, lease, apart, remove"
_LIMIT = "'5/15m'"
_GAPS = '["0s", "60s", "300s", "24h"]'
_NO_TIME = frozenset({"0ms", "0s", "0m", "0h"})


def read_layer(table: Table, name: str, base: Layer | None) -> Layer | None:
    """Return the layer ``name``: what ``base`` says, where the table says nothing; ``None`` when it is removed."""
    check_table_name(table, name)
    if table.take("remove", bool, default=False):
        table.finish("remove alone")
        if base is None:
            raise table.complaint("remove", "names a layer that the preset does not have")
        return None
    scopes = table.choose_several("scope", Scope, base.scopes if base else ())
    if not scopes:
        raise table.complaint("scope", f"is missing; use one of {', '.join(Scope)}, or a list of them")
    algorithm, distinct = _read_algorithm(table, base)
    layer = (
        name,
        scopes,
        _read_limit(table, algorithm, base.limit if base else None),
        table.choose("counts", Counts, base.counts if base else Counts.ATTEMPTS),
        table.choose("mode", Mode, base.mode if base else Mode.ENFORCE),
        table.choose("lane", Lane, base.lane if base else Lane.EVERYONE),
        distinct,
        table.take("share", str, base.share if base else None),
        table.take("cost", int, base.cost if base else 1),
        table.take("gate", bool, base.gate if base else False),
        table.take("lease", int, base.lease if base else 0),
        table.take("apart", bool, base.apart if base else False),
    )
    table.finish(KEYS)
    try:
        return Layer(*layer)
    except Unfit as error:
        raise table.complaint(error.key, error.reason) from None


def check_table_name(table: Table, name: str) -> None:
    """Raise ``ConfigurationError`` where the ``table`` of a policy or layer is called what neither can be called."""
    try:
        check_name("name", name)
    except Unfit as error:
        raise table.complaint(None, f"has a name that can't be used: it {error.reason}") from None


def _read_algorithm(table: Table, base: Layer | None) -> tuple[Algorithm, Scope | None]:
    """Return the algorithm and what it counts different values of; either of the two keys implies the other."""
    inherited = base.limit.algorithm if base else Algorithm.SLIDING_LOG
    named = table.choose("algorithm", Algorithm, None)
    distinct = table.choose("distinct", Scope, None)
    if named is None:
        named = inherited if distinct is None else Algorithm.DISTINCT
    if distinct is None and base is not None and named is Algorithm.DISTINCT:
        distinct = base.distinct
    return named, distinct


def _read_limit(table: Table, algorithm: Algorithm, base: Limit | None) -> Limit:
    if algorithm is Algorithm.BACKOFF:
        return _read_backoff(table, base)
    if table.has("gaps"):
        raise table.complaint("gaps", 'belongs to algorithm = "backoff"')
    text = table.take("limit", str, None, _LIMIT)
    burst = table.take("burst", int, None)
    if text is None and (base is None or base.gaps):
        raise table.complaint("limit", f"is missing; write an amount and a period, such as {_LIMIT}")
    if burst is not None and algorithm not in BURSTING:
        raise table.complaint("burst", f"belongs to {', '.join(sorted(BURSTING))}; {algorithm} has none")
    if burst is not None and burst < 1:
        raise table.complaint("burst", "must be at least 1")
    if burst is None and base is not None and base.algorithm is algorithm and base.burst != base.amount:
        burst = base.burst
    try:
        if text is None and base is not None:
            return Limit(base.amount, base.period, algorithm, burst or 0)
        return Limit.parse(text or "", algorithm, burst or 0)
    except ValueError as error:
        raise table.complaint("burst" if text is None and burst else "limit", f"is wrong: {error}") from None


def _read_backoff(table: Table, base: Limit | None) -> Limit:
    for key in ("limit", "burst"):
        if table.has(key):
            raise table.complaint(key, f"does not go with backoff, whose numbers are its gaps, such as {_GAPS}")
    texts = table.take_texts("gaps")
    if texts:
        return Limit.backoff(*(_read_gap(table, text) for text in texts))
    if base is None or not base.gaps:
        raise table.complaint("gaps", f"is missing; write how long to wait before each charge, such as {_GAPS}")
    return base


def _read_gap(table: Table, text: str) -> int:
    if text in _NO_TIME:
        return 0
    try:
        return parse_duration(text)
    except ValueError as error:
        raise table.complaint("gaps", f"is wrong: {error}") from None
