"""Leased site: an application whose search is limited by a lease, as gunicorn serves it and as a test builds it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from flask import Flask

from authguard.flask import AuthGuard

LIMIT = 400
LEASE = 4
POLICY = f"""
[policies.search]
sensitive = false

[policies.search.layers.all]
scope = "global"
limit = "{LIMIT}/100d"
algorithm = "fixed-window"
lease = {LEASE}
"""


def build(store: str, folder: str, leases: bool = True, **config: Any) -> Flask:
    """Return the application, with the lease or without."""
    draft = Path(folder, f"{os.getpid()}.draft")
    draft.write_text(POLICY if leases else POLICY.replace("lease = ", "# "))
    # Whole at once: each worker writes it, while another reads it.
    draft.replace(Path(folder, "authguard.toml"))
    app = Flask("site", instance_path=folder)
    app.config.update(SECRET_KEY="k" * 40, AUTHGUARD_STORE=store, **config)
    guard = AuthGuard(app)

    @app.get("/search")
    def search() -> str:
        guard.count("search")
        return "found"

    return app
