"""Testing: what tests of applications and of stores need: a clock that stands still, and the stores' contract as tests.

``authguard.testing.plugin`` holds pytest fixtures, ``authguard.testing.contract`` the suite that every store passes.
"""

from authguard.clock import ManualClock
from authguard.testing.harness import StoreUnderTest

__all__ = ["ManualClock", "StoreUnderTest"]
