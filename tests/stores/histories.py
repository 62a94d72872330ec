"""Histories: random ones of a store, as a test that has the time to find the shortest that fails."""

from __future__ import annotations

import unittest

import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine

from authguard.testing.history import OpenStore, StoreHistory, history_of
from authguard.testing.machine import StoreMachine

SHRINKING = 600
"""Seconds for the test; a pass takes a few, but a failure is worth being made short."""


def histories(
    open_store: OpenStore, examples: int, machine: type[StoreHistory] = StoreMachine
) -> type[unittest.TestCase]:
    """Return a test of ``examples`` random histories."""
    return case_of(history_of(machine, open_store), examples)


def case_of(machine: type[RuleBasedStateMachine], examples: int) -> type[unittest.TestCase]:
    """Return a test of ``examples`` random histories of ``machine``, which needs no store to be opened for it."""
    case: type[unittest.TestCase] = machine.TestCase
    case.settings = settings(case.settings, max_examples=examples)  # type: ignore[attr-defined]
    case.pytestmark = [pytest.mark.timeout(SHRINKING)]  # type: ignore[attr-defined]
    return case
