"""Yardsticks: simple policies that the shipped one is measured against."""

from __future__ import annotations

from authguard.limits import Algorithm, Counts, Limit, Mode
from authguard.policy import Layer, Policy, Scope


def _yardstick(name: str, layer: Layer) -> tuple[str, Policy]:
    return name, Policy("yardstick", (layer,))


def _failures(scope: Scope, limit: str) -> Layer:
    return Layer("failures", (scope,), Limit.parse(limit), Counts.FAILURES)


YARDSTICKS: tuple[tuple[str, Policy], ...] = (
    _yardstick("none", Layer("nothing", (Scope.IP,), Limit.parse("1/1m"), mode=Mode.SHADOW)),
    _yardstick("account 5 failures/15m", _failures(Scope.ID, "5/15m")),
    _yardstick("address 5 failures/1m", _failures(Scope.IP, "5/1m")),
    _yardstick("address 10 failures/15m", _failures(Scope.IP, "10/15m")),
    _yardstick(
        "3 distinct failing accounts an address an hour",
        Layer(
            "accounts-an-address",
            (Scope.IP,),
            Limit.parse("3/1h", Algorithm.DISTINCT),
            Counts.FAILURES,
            Mode.STEP_UP,
            distinct=Scope.ID,
        ),
    ),
)
"""Names and policies, the weakest first."""
