"""Partial plan: a plan of which the store was asked a part, and how the whole is put together again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from authguard.limits import Algorithm, Counter, Decision, Plan, Receipt
from authguard.limits.decision import NOT_CHARGED, Reply

Column = tuple[int, int, int]
"""What is said of one counter that the store was not asked about: its wait, what remains, and its stamp."""


@dataclass(frozen=True, slots=True)
class PartialPlan(Plan):
    """A plan whose counters at ``positions`` make up ``asked``, which is what the store knows and settles."""

    asked: Plan = Plan(())  # noqa: RUF009 - a frozen value; dataclasses want a default behind Plan's own
    positions: tuple[int, ...] = ()


def part_of(plan: Plan, counters: Sequence[Counter], nonce: bytes) -> Plan:
    """Return what the store is asked of ``plan``: ``counters``, under ``nonce``."""
    return Plan(tuple(counters), plan.client, plan.guess, plan.hold, nonce, plan.keep)


def whole_of(plan: Plan, part: Decision, columns: Mapping[int, Column], *, admitted: bool) -> Decision:
    """Return the decision on ``plan``: ``part`` of it, and ``columns`` by position for the rest.

    What ``columns`` speaks for counts as not under way: nobody need wait for it. Where ``admitted`` is false, ``part``
    and ``columns`` may not be charged (:func:`unspent`).
    """
    size = len(plan.counters)
    positions = tuple(place for place in range(size) if place not in columns)
    asked = part.reply
    told = zip(asked.waits, asked.remaining, asked.stamps, asked.pending, strict=True)
    rows = dict(zip(positions, told, strict=True))
    rows |= {place: (*column, 0) for place, column in columns.items()}
    waits, remaining, stamps, pending = zip(*(rows[place] for place in range(size)), strict=True)
    reply = Reply(admitted, asked.joined, asked.now, waits, remaining, stamps, pending)
    names = (plan.counters, plan.client, plan.guess, plan.hold, plan.nonce, plan.keep)
    return Decision(PartialPlan(*names, asked=part.plan, positions=positions), reply)


def unspent(counters: Sequence[Counter], reply: Reply) -> Reply:
    """Return ``reply`` as that of a plan that was denied after all: nothing is charged, and what was is left.

    Whether a distinct counter knew its member is not told, so there one may be left more than is said.
    """
    if not reply.admitted:
        return reply
    remaining = tuple(
        left if stamp == NOT_CHARGED or counter.limit.algorithm is Algorithm.DISTINCT else left + counter.cost
        for counter, left, stamp in zip(counters, reply.remaining, reply.stamps, strict=True)
    )
    return reply._replace(admitted=False, remaining=remaining, stamps=(NOT_CHARGED,) * len(remaining))


def receipt_of(receipt: Receipt) -> Receipt:
    """Return the receipt that the store itself knows."""
    plan = receipt.plan
    if not isinstance(plan, PartialPlan):
        return receipt
    return replace(receipt, plan=plan.asked, stamps=tuple(receipt.stamps[place] for place in plan.positions))
