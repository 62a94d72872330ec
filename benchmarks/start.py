"""Start: what importing costs, and how long an application takes from nothing to its first guarded answer."""

from __future__ import annotations

import os
import subprocess
import sys
from statistics import median

from benchmarks.result import Result

RUNS = 9
CLOCK = "import time; begin = time.process_time()\n"
PRINT = "\nprint(time.process_time() - begin)"
FIRST_ANSWER = """
from flask import Flask, request
from authguard.flask import AuthGuard
app = Flask("first", instance_path="/nonexistent")
app.config.update(AUTHGUARD_SECRET="a secret for measuring", AUTHGUARD_STORE="memory://")
guard = AuthGuard(app)
@app.post("/")
@guard.limit("login", id=lambda: request.form["email"])
def view():
    return "in"
answer = app.test_client().post("/", data={"email": "somebody@example.org"})
assert answer.status_code == 200
"""
SUBJECTS = {
    "python -c pass": "",
    "import authguard": "import authguard",
    "import flask": "import flask",
    "import flask, then authguard.flask": "import flask\nimport authguard.flask",
    "from nothing to the first answer": FIRST_ANSWER,
}


def run() -> Result:
    """Measure the processor time of each, in a fresh interpreter with bytecode cached."""
    taken: dict[str, list[float]] = {name: [] for name in SUBJECTS}
    for _ in range(RUNS):
        for name, code in SUBJECTS.items():
            taken[name].append(_spend(code))
    rows = [("processor time", "best ms", "median ms")]
    rows += [(name, f"{min(times):.1f}", f"{median(times):.1f}") for name, times in taken.items()]
    metrics = {
        "import_ms": min(taken["import authguard"]),
        "cold_start_ms": min(taken["from nothing to the first answer"]),
    }
    return Result("Start", rows, metrics)


def _spend(code: str) -> float:
    """Return the milliseconds of processor time that ``code`` takes once Python has started."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", CLOCK + code + PRINT]
    done = subprocess.run(command, capture_output=True, check=True, text=True, env=environment)
    return float(done.stdout) * 1e3
