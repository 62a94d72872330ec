"""Asserts in the contract suite say what they compared, as those of any test do."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("authguard.testing.contract", "authguard.testing.machine", "authguard.testing.plans")
