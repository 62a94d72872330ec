"""New passwords are looked up in a breached list, and only five digits of their hash leave the process."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from authguard.errors import ConfigurationError, Overloaded, PasswordError
from authguard.login.argon2_hasher import UNSAFE_FOR_TESTS, Argon2Hasher
from authguard.login.breached import BreachCheck, OnRangeFailure, RangeApi, RangeFiles, RangeSource, RangeUnavailable
from authguard.login.passwords import Passwords

DIGEST = hashlib.sha1(b"password", usedforsecurity=False).hexdigest().upper()
PREFIX, SUFFIX = DIGEST[:5], DIGEST[5:]
RANGE = f"{'0' * 35}:3\r\n{SUFFIX}:9545824\r\n{'F' * 35}:0\r\n"
NAIVE = f"<p>{SUFFIX}:1</p>"


class Api(ThreadingHTTPServer):
    """A range API on loopback that answers as it is told and remembers what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked: list[tuple[str, str | None]] = []
        self.status = 200
        self.body = RANGE.encode()
        self.piece = 1024**2
        self.may_answer = Event()
        self.may_answer.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/range/"


class Answer(BaseHTTPRequestHandler):
    server: Api

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers["Add-Padding"]))
        self.server.may_answer.wait(10)
        self.send_response(self.server.status)
        self.send_header("Location", self.server.url + PREFIX)
        self.send_header("Content-Length", str(len(self.server.body)))
        self.end_headers()
        pause = Event()
        with suppress(ConnectionError):
            for start in range(0, len(self.server.body), self.server.piece):
                self.wfile.write(self.server.body[start : start + self.server.piece])
                pause.wait(0.01)

    def log_message(self, *_: object) -> None:
        """Keep the tests' output quiet."""


@pytest.fixture
def api() -> Iterator[Api]:
    with Api() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.may_answer.set()
        server.shutdown()
        thread.join(10)


class Told:
    """A breach check with an observer that keeps what it hears."""

    def __init__(self, source: RangeSource, on_error: OnRangeFailure, least: int = 1) -> None:
        self.heard: list[str] = []
        self.check = BreachCheck(source, on_error=on_error, least=least, report=self.heard.append)


def test_a_breached_password_is_refused_when_it_is_chosen_and_still_logs_in(tmp_path: Path) -> None:
    (tmp_path / f"{PREFIX}.txt").write_text(RANGE)
    hasher = Argon2Hasher(UNSAFE_FOR_TESTS)
    breached = BreachCheck(RangeFiles(tmp_path), on_error=OnRangeFailure.REFUSE)
    passwords = Passwords(hasher, breached=breached)
    with pytest.raises(PasswordError, match=r"^breached$"):
        passwords.hash("password")
    assert passwords.verify(hasher.hash("password"), "password")
    assert Passwords(hasher).hash("password")


def test_the_api_learns_five_digits_and_pads_its_answer(api: Api) -> None:
    told = Told(RangeApi(api.url), OnRangeFailure.REFUSE)
    with pytest.raises(PasswordError, match=r"^breached$"):
        told.check.refuse_breached("password")
    assert api.asked == [(f"/range/{PREFIX}", "true")]
    assert told.heard == []


@pytest.mark.parametrize("body", [RANGE.replace(SUFFIX, "A" * 35), RANGE.replace("9545824", "0"), RANGE.lower()[:39]])
def test_padding_and_other_passwords_are_no_hits(api: Api, body: str) -> None:
    api.body = body.encode()
    Told(RangeApi(api.url), OnRangeFailure.REFUSE).check.refuse_breached("password")


def test_lower_case_ranges_count_and_rare_ones_may_pass(api: Api) -> None:
    api.body = RANGE.lower().encode()
    source = RangeApi(api.url)
    with pytest.raises(PasswordError):
        Told(source, OnRangeFailure.REFUSE, least=9_545_824).check.refuse_breached("password")
    Told(source, OnRangeFailure.REFUSE, least=9_545_825).check.refuse_breached("password")


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (503, b"", "breach_list_http"),
        (404, RANGE.encode(), "breach_list_http"),
        (302, RANGE.encode(), "breach_list_http"),
        (200, b"", "breach_list_malformed"),
        (200, NAIVE.encode(), "breach_list_malformed"),
        (200, b"\xff" + RANGE.encode(), "breach_list_malformed"),
        (200, RANGE.encode() + b" " * 1024**2, "breach_list_malformed"),
    ],
)
def test_a_failure_is_reported_and_decided_by_name(api: Api, status: int, body: bytes, code: str) -> None:
    api.status, api.body = status, body
    admitting = Told(RangeApi(api.url, timeout=5), OnRangeFailure.ADMIT)
    admitting.check.refuse_breached("password")
    refusing = Told(RangeApi(api.url, timeout=5), OnRangeFailure.REFUSE)
    with pytest.raises(Overloaded, match=r"^breach_list$"):
        refusing.check.refuse_breached("password")
    assert admitting.heard == refusing.heard == [code]
    assert len(api.asked) == 2


def test_a_silent_api_is_not_waited_for(api: Api) -> None:
    api.may_answer.clear()
    told = Told(RangeApi(api.url, timeout=0.05), OnRangeFailure.ADMIT)
    told.check.refuse_breached("password")
    assert told.heard == ["breach_list_http"]


def test_an_api_that_dribbles_is_not_waited_for(api: Api) -> None:
    api.piece = 1
    told = Told(RangeApi(api.url, timeout=0.2), OnRangeFailure.ADMIT)
    told.check.refuse_breached("password")
    assert told.heard == ["breach_list_slow"]


def test_a_missing_file_is_a_gap_and_not_a_clean_range(tmp_path: Path) -> None:
    told = Told(RangeFiles(tmp_path), OnRangeFailure.ADMIT)
    told.check.refuse_breached("password")
    assert told.heard == ["breach_list_file"]


def test_look_ups_are_bounded_by_client() -> None:
    class Stuck:
        def read(self, prefix: str) -> str:
            with pytest.raises(Overloaded, match=r"^breach_list$"):
                nested.check.refuse_breached("password", client="one")
            raise RangeUnavailable("http")

    nested = Told(Stuck(), OnRangeFailure.REFUSE)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(nested.check._slots, "_wait", 0.0)
        with pytest.raises(Overloaded):
            nested.check.refuse_breached("password", client="one")
    assert nested.heard == ["breach_list_busy", "breach_list_http"]


def test_bad_settings_stop_the_start(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="https"):
        RangeApi("http://ranges.example/")
    with pytest.raises(ConfigurationError, match="timeout"):
        RangeApi(timeout=6)
    with pytest.raises(ConfigurationError, match="no folder"):
        RangeFiles(tmp_path / "absent")
    with pytest.raises(ConfigurationError, match="least"):
        BreachCheck(RangeFiles(tmp_path), on_error=OnRangeFailure.ADMIT, least=0)
