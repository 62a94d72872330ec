"""The attackers' client: loopback only, and every byte as it was given."""

from __future__ import annotations

import socketserver
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from attacks.client import Broken, Client
from attacks.n1_spellings import SPELLINGS_TRIED, spell
from attacks.target import Target
from demo_app.contact import fold


class Recorder(HTTPServer):
    """Remembers the request lines and forwarding headers it got; answers with ``status`` and ``retry_after``."""

    status = 401
    retry_after = 0

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), RecordingHandler)
        self.seen: list[tuple[str, str | None]] = []

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}/"


class RecordingHandler(BaseHTTPRequestHandler):
    """Records."""

    def do_POST(self) -> None:
        """Remember the request and answer it."""
        recorder = self.server
        assert isinstance(recorder, Recorder)
        recorder.seen.append((self.requestline, self.headers.get("X-Forwarded-For")))
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(recorder.status)
        if recorder.retry_after:
            self.send_header("Retry-After", str(recorder.retry_after))
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """Return a server that records."""
    with Recorder() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def later() -> float:
    """Return a deadline that is far enough away."""
    return time.monotonic() + 60


@pytest.mark.parametrize("url", ["http://192.0.2.1:80/", "http://10.0.0.1/", "http://[2001:db8::1]/"])
def test_it_goes_nowhere_but_to_loopback(url: str) -> None:
    with pytest.raises(ValueError, match="loopback only"):
        Client(url, None, later())


def test_paths_go_out_unchanged(recorder: Recorder) -> None:
    answer = Client(recorder.url, None, later()).send("POST", "/%6cogin//x/../y?a=%0a", {})
    assert recorder.seen == [("POST /%6cogin//x/../y?a=%0a HTTP/1.1", None)]
    assert answer.reached
    assert not answer.right


def test_the_forwarding_header_is_what_a_proxy_makes_of_it(recorder: Recorder) -> None:
    target = Target(recorder.url, proxied=True, deadline=later())
    target.client("203.0.113.9").login("a", "b")
    target.client("203.0.113.9", forged="198.51.100.1, 8.8.8.8").login("a", "b")
    Target(recorder.url, proxied=False, deadline=later()).client("203.0.113.9").login("a", "b")
    assert [forwarded for _, forwarded in recorder.seen] == [
        "203.0.113.9",
        "198.51.100.1, 8.8.8.8, 203.0.113.9",
        None,
    ]


@pytest.mark.parametrize(("status", "broken"), [(500, True), (502, True), (503, False), (429, False)])
def test_a_fault_of_the_target_proves_nothing(recorder: Recorder, status: int, broken: bool) -> None:
    recorder.status = status
    client = Client(recorder.url, None, later())
    if broken:
        with pytest.raises(Broken):
            client.send("POST", "/login", {})
    else:
        assert not client.send("POST", "/login", {}).reached


def test_a_guess_that_a_busy_server_did_not_look_at_is_sent_again(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait(seconds: float) -> None:
        recorder.status = 401

    recorder.status = 503
    monkeypatch.setattr("attacks.client.time.sleep", wait)
    assert Client(recorder.url, None, later()).login("a", "b").status == 401
    assert len(recorder.seen) == 2


def test_an_honest_client_waits_longer_each_time_up_to_what_it_is_asked(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    recorder.status, recorder.retry_after = 503, 5
    monkeypatch.setattr("attacks.client.time.sleep", pauses.append)
    assert Client(recorder.url, None, later(), honest=True).login("a", "b").status == 503
    longest = [0.3, 0.6, 1.2, 2.4, 4.8, 5.0, 5.0, 5.0]
    assert all(most / 2 <= pause <= most for pause, most in zip(pauses, longest, strict=True))
    assert len(set(pauses)) == len(pauses)
    pauses.clear()
    assert Client(recorder.url, None, later()).login("a", "b").status == 503
    assert set(pauses) == {0.3}


def test_an_attack_ends_when_its_time_is_up(recorder: Recorder) -> None:
    with pytest.raises(Broken, match="too long"):
        Client(recorder.url, None, time.monotonic() - 1).login("a", "b")
    assert recorder.seen == []


def test_no_answer_proves_nothing() -> None:
    with socketserver.TCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler) as closed:
        port = closed.server_address[1]
    with pytest.raises(Broken, match="no answer"):
        Client(f"http://127.0.0.1:{port}/", None, later()).login("a", "b")


def test_the_spellings_are_many_and_one_account() -> None:
    spellings = {spell(number) for number in range(SPELLINGS_TRIED)}
    assert len(spellings) == SPELLINGS_TRIED
    assert any(not spelling.isascii() for spelling in spellings)
    assert {fold(spelling) for spelling in spellings} == {"alice@example.com"}
