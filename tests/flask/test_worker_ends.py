"""Worker ends: what gunicorn kills because it hangs tells first what became of the message that its provider has."""

from __future__ import annotations

import re
import sys
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

from tests.repository.tree import ROOT
from tests.servers.ports import free_port
from tests.servers.process import ServerProcess

SITE = "tests.flask.hanging_site"
PAGE = (ROOT / "docs/codes.md").read_text()


def test_a_worker_that_hangs_tells_before_it_is_killed(tmp_path: Path) -> None:
    (told,) = re.findall(r"^  ```python\n(  def worker_abort.*?)^  ```$", PAGE, re.MULTILINE | re.DOTALL)
    file, port = tmp_path / "gunicorn.conf.py", free_port()
    hook = re.sub("^  ", "", told, flags=re.MULTILINE)
    file.write_text(f"from {SITE} import app\ntimeout = 2\nbind = '127.0.0.1:{port}'\n{hook}")
    process = ServerProcess([sys.executable, "-m", "gunicorn", "--config", str(file), f"{SITE}:app"])
    try:
        process.wait_for("Booting worker")
        with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as asking:
            asking.request("GET", "/")
            process.wait_for("login: message by mail failed (uncertain)")
    finally:
        process.stop()
