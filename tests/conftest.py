"""Hypothesis profiles: one run is like the next unless you ask for luck with ``--hypothesis-profile``."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# No deadline: the suite shares two cores with the servers it starts, so a slow example says nothing about the code.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("fuzz", deadline=None, max_examples=1_000_000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci")
