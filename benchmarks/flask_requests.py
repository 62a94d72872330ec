"""Flask requests: what four limits add to a request, from the form field to the event, beside Flask-Limiter's."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from flask import Flask, request
from flask_limiter import Limiter

from authguard.flask import AuthGuard
from benchmarks.result import Result, tabulate_spreads
from benchmarks.rounds import Call, Prepare, measure
from tests.servers.redis import RedisServer

BARE = "bare request"
SETTINGS = {"AUTHGUARD_SECRET": "a secret for measuring, of some length", "AUTHGUARD_DEADLINE": "1s"}
POLICIES = Path(__file__).with_name("flask_requests.toml")


def run() -> Result:
    """Measure posted forms from clients behind a proxy; none is denied."""
    with RedisServer() as server, tempfile.TemporaryDirectory() as folder:
        apps = {
            BARE: bare(),
            "authguard, memory": guarded("memory://"),
            "authguard, SQLite": guarded(f"sqlite:///{Path(folder, 'store.sqlite3')}"),
            "authguard, Redis": guarded(server.url),
            "authguard, login preset, memory": login("memory://"),
            "authguard, login preset, Redis": login(server.url),
            "Flask-Limiter, memory": limited("memory://"),
            "Flask-Limiter, Redis": limited(server.url),
        }
        spreads = measure({name: _prepare(app) for name, app in apps.items()})
    metrics = {
        f"{metric}_{store.lower()}": spreads[f"{name}, {store}"].p50 - spreads[BARE].p50
        for metric, name in (
            ("flask_added_us", "authguard"),
            ("flask_login_added_us", "authguard, login preset"),
            ("flask_limiter_added_us", "Flask-Limiter"),
        )
        for store in ("memory", "Redis")
    }
    return tabulate_spreads("A Flask request with four limits", spreads, BARE, metrics)


def bare() -> Flask:
    """Return an application that limits nothing."""
    app = Flask("bare")

    @app.post("/")
    def view() -> str:
        return request.form["email"]

    return app


def guarded(store: str) -> Flask:
    """Return the same with four limits of ours."""
    app = _configured(store)
    guard = AuthGuard(app)

    @app.post("/")
    @guard.limit("four-limits", id=lambda: request.form["email"])
    def view() -> str:
        return request.form["email"]

    return app


def login(store: str) -> Flask:
    """Return one whose login succeeds, under the preset with all its layers; it is charged and then settled."""
    app = _configured(store)
    guard = AuthGuard(app)

    @app.post("/")
    def view() -> str:
        with guard.attempt("login", id=request.form["email"], secret="a password") as attempt:
            attempt.partial()
        return request.form["email"]

    return app


def limited(store: str) -> Flask:
    """Return the same with four limits of Flask-Limiter's."""
    app = Flask("limited")
    keys: tuple[Callable[[], str], ...] = (
        lambda: "id:" + request.form["email"],
        lambda: "ip:" + request.access_route[-1],
        lambda: "subnet:" + request.access_route[-1].rpartition(".")[0],
        lambda: "everybody",
    )
    limiter = Limiter(keys[0], app=app, storage_uri=store, strategy="moving-window")

    def view() -> str:
        return request.form["email"]

    for key in keys:
        view = limiter.limit("1000000 per hour" if key is keys[-1] else "1000 per hour", key_func=key)(view)
    app.add_url_rule("/", view_func=view, methods=["POST"])
    return app


def ask(app: Flask, body: bytes, client: str) -> None:
    """Post a form as a server would hand it on."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/",
        "QUERY_STRING": "",
        "CONTENT_TYPE": "application/x-www-form-urlencoded",
        "CONTENT_LENGTH": str(len(body)),
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "127.0.0.1:8000",
        "HTTP_USER_AGENT": "Mozilla/5.0 (X11; Linux x86_64)",
        "HTTP_X_FORWARDED_FOR": client,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(body),
        "wsgi.errors": None,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    chunks: Iterable[bytes] = app(environ, _check_status)
    b"".join(chunks)


def _configured(store: str) -> Flask:
    app = Flask("guarded")
    app.config.update(SETTINGS, AUTHGUARD_STORE=store, AUTHGUARD_CONFIG=str(POLICIES))
    return app


def _prepare(app: Flask) -> Prepare:
    def prepare(calls: int) -> Iterator[Call]:
        for number in range(calls):
            body = urlencode({"email": f"{secrets.token_hex(6)}@example.org", "password": "a password"}).encode()
            yield partial(ask, app, body, f"8.{number}.{secrets.randbelow(256)}.{secrets.randbelow(256)}")

    return prepare


def _check_status(status: str, headers: list[tuple[str, str]], error: Any = None) -> Callable[[bytes], object]:
    assert status == "200 OK", status
    return lambda chunk: None
