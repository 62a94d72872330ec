"""Run: replays records under a policy and returns the report."""

from __future__ import annotations

from collections.abc import Sequence

from authguard.identity import EmailRules
from authguard.login.replay.conditions import Conditions
from authguard.login.replay.record import Origin, Record
from authguard.login.replay.reduction import reduce_policy
from authguard.login.replay.report import Report
from authguard.login.replay.stage import Stage
from authguard.login.replay.tally import Tally
from authguard.policy import Policy


def replay(
    policy: Policy,
    records: Sequence[Record],
    conditions: Conditions | None = None,
    email_rules: EmailRules | None = None,
) -> Report:
    """Return what ``policy`` would have done to ``records``, which are in the order of time.

    Raises ``ConfigurationError`` when the records say nothing about any layer of the policy.
    """
    reduced, left_out = reduce_policy(policy, records)
    conditions = conditions or Conditions()
    stage = Stage(reduced, conditions, email_rules)
    tallies = {origin: Tally() for origin in Origin}
    for record in records:
        fall = stage.play(record)
        if record.at >= records[0].at + conditions.warm_up:
            tallies[record.origin].add(record, fall)
    attack, people = tallies[Origin.ATTACK], tallies[Origin.PEOPLE]
    layers = _in_order([layer.name for layer in reduced.layers], attack, people)
    return Report(policy.name, attack, people, layers, left_out)


def _in_order(names: Sequence[str], *tallies: Tally) -> tuple[str, ...]:
    """Return the layers that refused anything, in the policy's order."""
    hit = {name for tally in tallies for name in tally.layers}
    return (*(name for name in names if name in hit), *sorted(hit - set(names)))
