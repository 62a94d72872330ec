"""Each finding, made by the smallest policy that earns it and not by the same policy put right."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from authguard.durations import parse_duration
from authguard.limits import Algorithm, Counts, Limit, Mode
from authguard.policy import PRESETS, FailMode, Finding, Lane, Layer, Policy, Scope, Severity, check_policies
from tests.repository.tree import ROOT

FIVE = Limit.parse("5/15m")
LOGIN = PRESETS["login"]


def attempts(scope: str, limit: str = "5/15m", **more: Any) -> Layer:
    """Return a layer of attempts named after its scope."""
    return Layer(
        more.pop("name", scope.replace("+", "-")), tuple(map(Scope, scope.split("+"))), Limit.parse(limit), **more
    )


def failures(scope: str, limit: str = "5/15m", **more: Any) -> Layer:
    """Return a layer of failures named after its scope."""
    return attempts(scope, limit, counts=Counts.FAILURES, **{"name": f"failed-{scope.replace('+', '-')}", **more})


def policy(*layers: Layer, **more: Any) -> Policy:
    """Return a policy with ``layers``, and layers on account and address so that those are not missed."""
    return Policy("p", (*layers, attempts("id", name="by-id"), attempts("ip", name="by-ip")), **more)


KNOWN = {"lane": Lane.KNOWN, "name": "known"}
BIG = Layer("big", (Scope.IP,), Limit.parse("1001/1m"))
HUGE = Layer("big", (Scope.IP,), Limit.parse("10001/1m"))
LEASED = Layer("leased", (Scope.GLOBAL,), Limit.parse("10000/1m", Algorithm.SLIDING_COUNTER), lease=100)
DEVICE, DEVICE_BEHIND = failures("id+device", **KNOWN), failures("authenticator+device", lane=Lane.KNOWN)
BEHIND = failures("authenticator", lane=Lane.STRANGERS)


def loose(layer: Layer) -> Policy:
    """Return a policy that need not be exact, with ``layer``."""
    return policy(layer, sensitive=False)


WRONG_AND_RIGHT: dict[str, list[tuple[Policy, Policy]]] = {
    "AG101": [
        (
            Policy("p", (attempts("ip", mode=Mode.SHADOW),), sensitive=False),
            Policy("p", (attempts("ip", mode=Mode.STEP_UP),), sensitive=False),
        )
    ],
    "AG103": [
        (
            Policy("p", (attempts("id", lane=Lane.STRANGERS), attempts("ip", lane=Lane.STRANGERS))),
            Policy("p", (attempts("id", lane=Lane.STRANGERS), attempts("ip"))),
        )
    ],
    "AG104": [
        (Policy("p", (attempts("ip"),)), Policy("p", (attempts("ip"),), sensitive=False)),
        (Policy("p", (attempts("ip"), attempts("id+ip"))), Policy("p", (attempts("ip"), attempts("tenant+id")))),
        (Policy("p", (attempts("ip"), attempts("id", **KNOWN))), Policy("p", (attempts("ip"), attempts("user")))),
    ],
    "AG105": [
        (Policy("p", (attempts("id"),)), Policy("p", (attempts("id"), attempts("site")))),
        (Policy("p", (attempts("id"), attempts("id+ip"))), Policy("p", (attempts("id"),), sensitive=False)),
    ],
    "AG106": [
        (
            Policy("p", (failures("id"), failures("ip"))),
            policy(failures("id"), failures("ip")),
        ),
        (
            Policy("p", (failures("id"), attempts("ip", lane=Lane.STRANGERS))),
            Policy("p", (failures("id"), attempts("ip"))),
        ),
    ],
    "AG107": [
        (
            Policy("p", (attempts("id", **KNOWN),), sensitive=False),
            Policy("p", (attempts("id"),), sensitive=False),
        )
    ],
    "AG108": [(policy(HUGE), policy(replace(HUGE, limit=Limit.parse("10001/1m", Algorithm.GCRA))))],
    "AG109": [(policy(fail_mode=FailMode.OPEN), policy(fail_mode=FailMode.LOCAL))],
    "AG110": [
        (policy(attempts("id+device", "6/15m", **KNOWN)), policy(attempts("id+device", "5/15m", **KNOWN))),
        (policy(attempts("ip", "6/15m", **KNOWN)), policy(attempts("ip", "6/1h", **KNOWN))),
    ],
    "AG111": [
        (
            Policy("p", (failures("id", mode=Mode.STEP_UP), attempts("ip"))),
            Policy("p", (failures("id", mode=Mode.STEP_UP), failures("user", lane=Lane.CHALLENGED), attempts("ip"))),
        )
    ],
    "AG112": [
        (policy(failures("id"), hold=parse_duration("9s")), policy(failures("id"), hold=parse_duration("10s"))),
        (policy(failures("id"), hold=parse_duration("2h")), policy(hold=parse_duration("2h"))),
    ],
    "AG113": [(policy(BIG), policy(replace(BIG, limit=Limit.parse("1000/1m"))))],
    "AG114": [
        (
            policy(Layer("b", (Scope.ID,), Limit.backoff(0, 60, 30))),
            policy(Layer("b", (Scope.ID,), Limit.backoff(0, 60, 60))),
        )
    ],
    "AG115": [
        (
            policy(failures("id", "9/15m"), failures("authenticator", "8/15m")),
            policy(failures("id", "9/15m"), failures("authenticator", "9/15m")),
        )
    ],
    "AG116": [
        (policy(failures("id", "28/24h"), digits=6), policy(failures("id", "27/24h"), digits=6)),
        (policy(failures("id", "27/24h"), digits=6, live_codes=2), policy(failures("id", "27/24h"), digits=8)),
        (Policy("p", (attempts("ip"),), digits=12), Policy("p", (attempts("ip"),))),
    ],
    "AG117": [
        (policy(LEASED), loose(LEASED)),
        (loose(failures("global", "10000/1m", lease=100)), loose(failures("global", "10000/1m"))),
        (loose(replace(LEASED, limit=Limit.parse("10000/1m"))), loose(LEASED)),
        (loose(replace(LEASED, limit=Limit.backoff(1))), loose(LEASED)),
        (loose(replace(LEASED, limit=Limit.parse("10000/1m", Algorithm.BUDGET))), loose(LEASED)),
        (loose(replace(LEASED, lease=101)), loose(LEASED)),
        (loose(replace(LEASED, cost=101)), loose(replace(LEASED, cost=100))),
        (loose(replace(LEASED, limit=Limit.parse("10000/1m", Algorithm.GCRA, 9999))), loose(LEASED)),
    ],
    "AG118": [
        (policy(DEVICE, BEHIND), policy(DEVICE, BEHIND, DEVICE_BEHIND)),
        (policy(DEVICE, DEVICE_BEHIND), policy(DEVICE, failures("authenticator"))),
        (policy(DEVICE, replace(DEVICE_BEHIND, mode=Mode.SHADOW), BEHIND), policy(DEVICE, digits=6)),
        (policy(DEVICE, replace(DEVICE_BEHIND, counts=Counts.ATTEMPTS), BEHIND), policy(failures("id"))),
    ],
    "AG119": [
        (Policy("p", (attempts("authenticator"), attempts("ip"))), Policy("p", (attempts("id"), attempts("ip")))),
        (Policy("p", (attempts("authenticator+ip"),)), policy(attempts("authenticator"), failures("id"))),
        (
            Policy("p", (attempts("authenticator"),)),
            Policy("p", (replace(attempts("authenticator"), mode=Mode.SHADOW), attempts("id"))),
        ),
        (
            Policy("p", (attempts("authenticator"),)),
            Policy("p", (replace(DEVICE_BEHIND, counts=Counts.ATTEMPTS), attempts("id"))),
        ),
    ],
}
ERRORS = {"AG102", "AG103", "AG107", "AG108", "AG117"}


def found(*policies: Policy) -> dict[str, Finding]:
    """Return the findings by code."""
    return {finding.code: finding for finding in check_policies({each.name: each for each in policies})}


@pytest.mark.parametrize(
    ("code", "wrong", "right"), [(code, *pair) for code, pairs in WRONG_AND_RIGHT.items() for pair in pairs]
)
def test_finding(code: str, wrong: Policy, right: Policy) -> None:
    finding = found(wrong)[code]
    assert finding.severity is (Severity.ERROR if code in ERRORS else Severity.WARNING)
    assert finding.policy == "p"
    assert str(finding).startswith(f"{code}: [policies.p")
    assert code not in found(right)


def test_a_share_is_one_counter_with_one_limit() -> None:
    one = Policy("one", (attempts("ip", share="s"),), sensitive=False)
    other = Policy("other", (attempts("ip", share="s", name="x"),), sensitive=False)
    assert found(one, other) == {}
    for changes in ({"limit": Limit.parse("5/1h")}, {"scopes": (Scope.SITE,)}, {"counts": Counts.FAILURES}):
        unlike = replace(other, layers=(replace(other.layers[0], **changes),))
        finding = found(one, unlike)["AG102"]
        assert (finding.severity, finding.policy, finding.layer) == (Severity.ERROR, "other", "x")
    elsewhere = replace(other, layers=(attempts("ip", "9/1h", share="s", lane=Lane.KNOWN), attempts("ip", name="y")))
    assert "AG102" not in found(one, elsewhere)


def test_an_exact_log_is_refused_only_above_the_bound() -> None:
    assert found(policy(replace(BIG, limit=Limit.parse("10000/1m"))))["AG113"].severity is Severity.WARNING


def test_errors_come_first() -> None:
    findings = check_policies({"p": policy(HUGE, fail_mode=FailMode.OPEN), "q": Policy("q", (attempts("ip"),))})
    assert [finding.code for finding in findings] == ["AG108", "AG104", "AG109"]


def test_every_code_is_tested_and_told_in_the_documentation() -> None:
    sources = [ROOT / "authguard/policy" / name for name in ("check.py", "names.py")]
    checked = {code for source in sources for code in re.findall(r'"(AG\d+)"', source.read_text())}
    assert checked == {*WRONG_AND_RIGHT, "AG102"}
    rows = re.findall(r"^\| (AG\d+) \| (\w+) \|", (ROOT / "docs/policies.md").read_text(), re.MULTILINE)
    assert dict(rows) == {code: "error" if code in ERRORS else "warning" for code in checked}
    assert [code for code, _ in rows] == sorted(checked)
