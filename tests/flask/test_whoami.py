"""Whoami: an operator asks which address is seen, on the command line and over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest
from werkzeug.middleware.proxy_fix import ProxyFix

from tests.flask.site import Site

CHAIN = "203.0.113.66, 198.51.100.7"


def test_the_command_explains_each_hop(tmp_path: Path) -> None:
    site = Site(tmp_path, AUTHGUARD_PROXIES="nginx")
    arguments = ["authguard", "whoami", "--peer", "127.0.0.1", "--header", f"X-Forwarded-For: {CHAIN}"]
    result = site.app.test_cli_runner().invoke(args=arguments)
    assert result.exit_code == 0
    assert result.output.splitlines()[-1].startswith("client: 198.51.100.7")


def test_the_command_says_that_no_header_is_read_by_default(tmp_path: Path) -> None:
    arguments = ["authguard", "whoami", "--peer", "10.0.0.9", "--header", f"X-Forwarded-For: {CHAIN}"]
    result = Site(tmp_path).app.test_cli_runner().invoke(args=arguments)
    assert "x-forwarded-for: sent, and not read" in result.output
    assert result.output.splitlines()[-1].startswith("client: 10.0.0.9")


def test_a_header_without_a_colon_is_refused(tmp_path: Path) -> None:
    result = Site(tmp_path).app.test_cli_runner().invoke(args=["authguard", "whoami", "--header", "nonsense"])
    assert result.exit_code == 2


def test_the_endpoint_exists_only_where_it_was_asked_for(tmp_path: Path) -> None:
    assert Site(tmp_path / "a").client().get("/whoami").status_code == 404
    site = Site(tmp_path / "b", AUTHGUARD_DEBUG_ENDPOINT="/whoami", AUTHGUARD_PROXIES="nginx")
    answer = site.client().get("/whoami", headers={"X-Forwarded-For": CHAIN})
    assert answer.mimetype == "text/plain"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.text.splitlines()[-1].startswith("client: 198.51.100.7")


def test_what_proxy_fix_made_of_the_peer_is_not_believed(tmp_path: Path) -> None:
    site = Site(tmp_path, AUTHGUARD_DEBUG_ENDPOINT="/whoami", AUTHGUARD_PROXIES="nginx")
    site.app.wsgi_app = ProxyFix(site.app.wsgi_app)  # type: ignore[method-assign]
    answer = site.client().get("/whoami", headers={"X-Forwarded-For": f'"x, {CHAIN}'})
    assert answer.text.splitlines()[-1].startswith("client: 198.51.100.7")


@pytest.mark.parametrize(
    ("peer", "status", "code"), [("127.0.0.1", 401, "header_from_private_peer"), ("", 400, "no_address")]
)
def test_a_proxy_that_nobody_named_is_told_of_by_the_first_login(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, peer: str, status: int, code: str
) -> None:
    client = Site(tmp_path).client()
    for _ in range(2):
        answer = client.post(
            "/login",
            data={"email": "owner@example.com", "password": "guess"},
            headers={"X-Forwarded-For": "203.0.113.7"},
            environ_overrides={"REMOTE_ADDR": peer},
        )
        assert answer.status_code == status
    (told,) = (record.getMessage() for record in caplog.records if record.getMessage().startswith(code))
    assert "AUTHGUARD_PROXIES" in told
