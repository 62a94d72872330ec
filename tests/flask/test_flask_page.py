"""The page on Flask applications: its application runs, and what it says of mistakes names what the code has."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from authguard.flask import fingerprint, unsettled
from authguard.identity import Misfit
from tests.repository.tree import ROOT

PAGE = (ROOT / "docs/flask.md").read_text()
FILES = re.findall(r"^```(?:python|toml)\n# (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
CHECK = """
from shop import create_app
from shop.accounts import ACCOUNTS
from shop.errors import errors
from shop.guarding import guard

app = create_app(SECRET_KEY="k" * 40, AUTHGUARD_STORE="memory://")
app.register_blueprint(errors)
with app.app_context():
    ACCOUNTS["7"]["password_hash"] = guard.passwords.hash("right")


def post(path, password, **how):
    return app.test_client().post(path, **{"json": {"email": "ann@example.com", "password": password}, **how})


assert post("/login", "", data={"email": "ann@example.com", "password": "right"}, json=None).status_code == 200
assert post("/api/login", "right").json == {"welcome": True}
assert [post("/login", str(n)).status_code for n in range(2)] == [401] * 2
assert [post("/api/login", str(n)).status_code for n in range(2, 6)] == [401] * 3 + [429]
assert "challenge" in post("/login", "right").get_json(force=True)
assert post("/api/login", ["right"]).status_code == 400
assert [app.test_client().get("/search").status_code for n in range(11)] == [200] * 10 + [429]
"""


def test_the_application_runs_and_its_two_doors_share_a_budget(tmp_path: Path) -> None:
    assert len(FILES) == PAGE.count("```python") + PAGE.count("```toml")
    for name, code in [*FILES, ("check.py", CHECK)]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(code)
    done = subprocess.run(
        [sys.executable, "-W", "error", "check.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{ROOT}:{tmp_path}", "PATH": "/usr/bin:/bin"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "code", [unsettled.CODE, fingerprint.CODE, Misfit.HEADER_FROM_PRIVATE_PEER.value, Misfit.NO_ADDRESS.value]
)
def test_a_code_of_the_log_is_explained(code: str) -> None:
    assert f"`{code}`" in PAGE
