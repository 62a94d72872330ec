"""Suite: how long all attacks on the demo take, with and without each defense."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

from benchmarks.result import Result


def run() -> Result:
    """Run every attack once."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "attacks.json")
        begin = monotonic()
        subprocess.run([sys.executable, "-m", "attacks", "--json", str(report)], capture_output=True, check=False)
        seconds = monotonic() - begin
        attacks = json.loads(report.read_text())["attacks"]
    proven = sum(each["proven"] for each in attacks)
    rows = [("", "seconds"), (f"{len(attacks)} attacks, each with and without its defense", f"{seconds:.0f}")]
    rows += [("of which proven", str(proven))]
    return Result("The attack suite's own time", rows, {"attack_suite_s": seconds})
