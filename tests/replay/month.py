"""The recorded month of logins, with its attacks marked."""

from __future__ import annotations

from functools import cache

from authguard.login.replay.attack_windows import read_windows
from authguard.login.replay.log_file import read_log
from authguard.login.replay.record import Record
from authguard.login.replay.report import Report
from authguard.login.replay.run import replay
from authguard.login.replay.yardsticks import YARDSTICKS
from authguard.policy import PRESETS
from tests.repository.tree import ROOT

LOG = ROOT / "tests/vectors/logins-2018-11.csv"
ATTACKS = ROOT / "tests/vectors/attacks-2018-11.csv"


@cache
def month() -> tuple[Record, ...]:
    """Return the month's tries in the order of time."""
    return read_windows(ATTACKS).label(read_log(LOG).records)


@cache
def report(name: str) -> Report:
    """Return what the yardstick called ``name``, or the shipped login policy, does to the month."""
    return replay(dict(YARDSTICKS).get(name, PRESETS["login"]), month())
