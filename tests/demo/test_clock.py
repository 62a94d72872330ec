"""A demo whose clock is wrong: all of it reads the same wrong time."""

from __future__ import annotations

import subprocess
import sys

from tests.repository.tree import ROOT

SCRIPT = """
import time
from authguard.clock import SystemClock
from demo_app.clock import put_clock_wrong
put_clock_wrong(400)
read = (time.time(), time.time_ns() / 1e9, SystemClock().now() / 1e6)
clock = time.clock_gettime(time.CLOCK_REALTIME)
print(*(round((each - clock) / 100) for each in read))
"""


def test_every_reading_is_off_by_as_much() -> None:
    told = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["4", "4", "4"], told.stderr
