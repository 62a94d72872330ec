"""Hidden: the counters of the account behind an identifier, of which a client may not learn that they denied.

They are those of all the account's names together. To tell of a denial would tie these names together (law 8).
"""

from __future__ import annotations

from dataclasses import replace

from authguard.limits import Mode, Plan
from authguard.limits.decision import NEVER
from authguard.limits.plan import NO_GUESS
from authguard.policy import Policy, Scope
from authguard.stores.resilient import Ruling


def waits(policy: Policy, ruling: Ruling) -> bool:
    """Return whether a request is denied only because of attempts under way, on the name that it typed itself.

    It does not wait for those on the account's other names: that would tell, by the time, that they belong together
    (law 8).
    """
    decision = ruling.decision
    if decision is None or decision.reply.admitted:
        return False
    reply = decision.reply
    full = [
        pending > 0 and wait != NEVER
        for counter, wait, pending in zip(decision.plan.counters, reply.waits, reply.pending, strict=True)
        if wait and counter.mode is not Mode.SHADOW and not is_hidden(policy, counter.layer)
    ]
    return bool(full) and all(full)


def without_hidden(policy: Policy, plan: Plan) -> Plan:
    """Return ``plan`` without the counters of the account behind the identifier."""
    return replace(plan, counters=tuple(each for each in plan.counters if not is_hidden(policy, each.layer)))


def as_shown(policy: Policy, plan: Plan) -> Plan:
    """Return the plan of an attempt that goes on without a chance, as if the hidden counters were not there (law 8).

    Its guess was never looked at. So it is kept under another mark: the same guess made again must not pass for one
    that was (law 4), though it joins what is shown of this one.
    """
    mark = bytes(byte ^ 0xFF for byte in plan.guess)
    guess = plan.guess if plan.guess == NO_GUESS else b"\x00\x01" if mark == NO_GUESS else mark
    return replace(without_hidden(policy, plan), guess=guess)


def is_hidden(policy: Policy, layer: str) -> bool:
    """Return whether the layer called ``layer`` counts the account behind the identifier: it would tie names together.

    A known device's own is not: its cookie has proved already which names are the account's.
    """
    scopes = policy.scopes_of(layer)
    return Scope.AUTHENTICATOR in scopes and Scope.DEVICE not in scopes


def is_blinded(policy: Policy, ruling: Ruling) -> bool:
    """Return whether a counter that the client can't know of denies, and it isn't by waiting that this would change.

    Where nobody under way is counted there, the visible counters are waited for as if it were not there (law 8).
    """
    decision = ruling.decision
    if decision is None or decision.reply.admitted:
        return False
    reply = decision.reply
    unseen = [
        pending
        for counter, wait, pending in zip(decision.plan.counters, reply.waits, reply.pending, strict=True)
        if wait and counter.mode is not Mode.SHADOW and is_hidden(policy, counter.layer)
    ]
    return bool(unseen) and (0 in unseen or not waits(policy, ruling))
