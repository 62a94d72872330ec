"""Report: what observers are told of a decision."""

from __future__ import annotations

from authguard.drafts import draft_of
from authguard.events import Decided
from authguard.limits import Mode, Verdict
from authguard.policy import Policy, Subject
from authguard.stores.resilient import Ruling

_Draft = draft_of(Decided)
_ALLOW = Verdict.ALLOW


def report(policy: Policy, subject: Subject, ruling: Ruling, seconds: float) -> Decided:
    """Return the event of a request that was decided in ``seconds``."""
    decision, source = ruling
    draft = _Draft()
    draft.policy, draft.facts, draft.seconds, draft.source = policy.name, subject.facts, seconds, source
    draft.joined = decision is not None and decision.reply.joined
    draft.verdict, draft.denied, draft.shadow_denied = _ALLOW, (), ()
    if decision is not None and any(decision.reply.waits):
        draft.verdict, draft.denied = decision.verdict, () if decision.allowed else decision.denied
        draft.shadow_denied = tuple(name for name in decision.shadow_denied if _is_shadow(policy, name))
    draft.__class__ = Decided
    made: Decided = draft
    return made


def _is_shadow(policy: Policy, name: str) -> bool:
    """Return whether a layer is in shadow by its policy, not because a challenge opened it or nothing is charged."""
    layer = policy.find(name)
    return layer is not None and layer.mode is Mode.SHADOW
