"""Limits: the arithmetic of counting, pure. State in, state out; no clock, no store, no request."""

from authguard.limits.decision import Decision, Outcome, Receipt, Verdict
from authguard.limits.limit import Algorithm, Limit
from authguard.limits.plan import Counter, Counts, Mode, Plan

__all__ = ["Algorithm", "Counter", "Counts", "Decision", "Limit", "Mode", "Outcome", "Plan", "Receipt", "Verdict"]
