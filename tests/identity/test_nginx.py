"""Client addresses behind real nginx, one and two of them in a row, with forged, doubled and quoted headers."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from urllib.parse import parse_qs
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest

from authguard.identity import ProxyTrust, client_address, forwarding_headers, original_peer
from tests.servers.ports import free_port
from tests.servers.process import ServerProcess

CLIENT = "127.0.0.9"
EDGE, INNER = "127.0.0.3", "127.0.0.4"
TRUSTS = {
    "cidr": ProxyTrust.cidr([EDGE, INNER]),
    "count1": ProxyTrust.count(1, [INNER]),
    "count2": ProxyTrust.count(2, [INNER]),
    "single": ProxyTrust.single("x-real-ip", [INNER]),
    "forwarded": ProxyTrust.parse({"mode": "cidr", "header": "forwarded", "trusted": [EDGE, INNER]}),
    "nginx": ProxyTrust.parse("nginx"),
    "none": ProxyTrust(),
}
CLAIMS = [
    [],
    ["6.6.6.6"],
    ["6.6.6.6, 7.7.7.7"],
    ["6.6.6.6", "7.7.7.7"],
    ['"6.6.6.6'],
    ['"6.6.6.6, 7.7.7.7"'],
    ['for="6.6.6.6'],
    ['for="6.6.6.6;x="\\'],
    [f"6.6.6.6, {EDGE}"],
    [f"{EDGE}, {INNER}"],
    ["unknown"],
    [""],
    [","],
    ["6.6.6.6, " * 2000],
]


class QuietHandler(WSGIRequestHandler):
    """A handler that writes no log."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class ThreadingServer(ThreadingMixIn, WSGIServer):
    """A server that answers while another answer is under way."""

    daemon_threads = True


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer with the client's address and status under the trust that the query names."""
    trust = TRUSTS[parse_qs(environ["QUERY_STRING"])["trust"][0]]
    client = client_address(original_peer(environ), forwarding_headers(environ, trust), trust)
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"{client.ip} {client.status.value}".encode()]


@dataclass(frozen=True)
class Chain:
    """Ports of two nginx and the application behind them."""

    edge: int
    inner: int
    application: int

    def ask(self, port: int, trust: str, headers: list[tuple[str, str]]) -> str:
        """Return what the application says to a client at 127.0.0.9 that sends ``headers`` to ``port``."""
        connection = HTTPConnection("127.0.0.1", port, timeout=10, source_address=(CLIENT, 0))
        try:
            connection.putrequest("GET", f"/?trust={trust}")
            for name, value in headers:
                connection.putheader(name, value)
            connection.endheaders()
            response = connection.getresponse()
            assert response.status == 200
            return response.read().decode()
        finally:
            connection.close()


@pytest.fixture(scope="module")
def chain() -> Iterator[Chain]:
    """Start the application and two nginx."""
    binary = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/sbin:/usr/local/sbin")
    assert binary is not None, "these tests need nginx; on Debian: apt-get install nginx-light"
    with make_server("127.0.0.1", 0, application, ThreadingServer, QuietHandler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        folder = Path(tempfile.mkdtemp(prefix="authguard-nginx-"))
        ports = {"edge": free_port(), "inner": free_port(), "application": server.server_port}
        text = (Path(__file__).parent / "nginx.conf").read_text()
        for name, value in {**ports, "folder": folder}.items():
            text = text.replace("{" + name + "}", str(value))
        (folder / "nginx.conf").write_text(text)
        nginx = ServerProcess([binary, "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")])
        try:
            nginx.wait_for("event method")
            yield Chain(**ports)
        finally:
            nginx.stop()
            server.shutdown()
            thread.join(5)
            shutil.rmtree(folder)


def claims(name: str, lines: list[str]) -> list[tuple[str, str]]:
    return [(name, line) for line in lines]


@pytest.mark.parametrize("lines", CLAIMS, ids=lambda lines: "|".join(lines)[:24] or "nothing")
@pytest.mark.parametrize("trust", ["cidr", "count2"])
def test_two_hops(chain: Chain, trust: str, lines: list[str]) -> None:
    assert chain.ask(chain.edge, trust, claims("X-Forwarded-For", lines)) == f"{CLIENT} ok"


@pytest.mark.parametrize("lines", CLAIMS, ids=lambda lines: "|".join(lines)[:24] or "nothing")
@pytest.mark.parametrize("trust", ["cidr", "count1", "nginx"])
def test_one_hop(chain: Chain, trust: str, lines: list[str]) -> None:
    assert chain.ask(chain.inner, trust, claims("X-Forwarded-For", lines)) == f"{CLIENT} ok"


@pytest.mark.parametrize("lines", CLAIMS[:-1], ids=lambda lines: "|".join(lines)[:24] or "nothing")
def test_forwarded_through_both(chain: Chain, lines: list[str]) -> None:
    for port in (chain.edge, chain.inner):
        assert chain.ask(port, "forwarded", claims("Forwarded", lines)) == f"{CLIENT} ok"


def test_one_address_that_nginx_overwrites(chain: Chain) -> None:
    assert chain.ask(chain.inner, "single", [("X-Real-IP", "6.6.6.6"), ("X-Real-IP", "7.7.7.7")]) == f"{CLIENT} ok"


def test_an_underscore_header_does_not_reach_the_application(chain: Chain) -> None:
    headers = [("X_Forwarded_For", "6.6.6.6"), ("X_Real_IP", "6.6.6.6")]
    for trust in ("cidr", "single"):
        assert chain.ask(chain.inner, trust, headers) == f"{CLIENT} ok"


def test_a_client_that_goes_round_the_proxies_is_not_believed(chain: Chain) -> None:
    for trust in ("cidr", "count1", "count2"):
        answer = chain.ask(chain.application, trust, claims("X-Forwarded-For", ["6.6.6.6, 7.7.7.7"]))
        assert answer == f"{CLIENT} untrusted_peer"


def test_without_a_setting_everybody_is_the_proxy(chain: Chain) -> None:
    assert chain.ask(chain.edge, "none", claims("X-Forwarded-For", ["6.6.6.6"])) == f"{INNER} direct"
