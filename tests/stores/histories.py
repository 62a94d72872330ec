"""Histories: random ones of a store, as a test that has the time to find the shortest that fails."""

from __future__ import annotations

import unittest

import pytest
from hypothesis import settings

from authguard.testing.history import OpenStore, StoreHistory, history_of
from authguard.testing.machine import StoreMachine

SHRINKING = 600
"""Seconds for the test; a pass takes a few, but a failure is worth being made short."""


def histories(
    open_store: OpenStore, examples: int, machine: type[StoreHistory] = StoreMachine
) -> type[unittest.TestCase]:
    """Return a test of ``examples`` random histories."""
    case: type[unittest.TestCase] = history_of(machine, open_store).TestCase
    case.settings = settings(case.settings, max_examples=examples)  # type: ignore[attr-defined]
    case.pytestmark = [pytest.mark.timeout(SHRINKING)]  # type: ignore[attr-defined]
    return case
