"""What holds for every test: one Hypothesis run is like the next, and the contract suite's assertions can be read."""

from __future__ import annotations

import sys
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

# Before any test imports them: what was imported once can't be given readable assertions any more.
pytest.register_assert_rewrite("authguard.testing.contract", "authguard.testing.machine", "authguard.testing.plans")

# No deadline: the suite shares two cores with the servers it starts, so a slow example says nothing about the code.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("fuzz", deadline=None, max_examples=1_000_000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave property tests out of what coverage is measured on: tracing doubles what their examples cost."""
    for item in items:
        if item.get_closest_marker("hypothesis"):
            item.add_marker(pytest.mark.untraced)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test marked so without the tracer.

    The ``no_cover`` of pytest-cov is for one process: in those of pytest-xdist two tracers run, and it stops one.
    """
    if not item.get_closest_marker("untraced"):
        return (yield)
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)
