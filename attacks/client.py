"""Client: an attacker's HTTP, which sends exactly the bytes it is told to, to loopback only."""

from __future__ import annotations

import base64
import json
import random
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

SOCKET_TIMEOUT = 30.0
"""Seconds."""
PAUSE = 0.3
"""Seconds before a request that was answered 503 is sent again; an honest client's first pause."""
REPEATS = 8


class Broken(Exception):
    """The target answered in a way that proves nothing: a fault of its own, or no answer in time."""


class Silent(Broken):
    """No answer came before the client gave up."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, after so many ``seconds``.

    ``cookies`` are all that it set, ``Secure`` ones too: an attacker sends back what they please.
    """

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float = 0.0
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def reached(self) -> bool:
        """True when the secret was looked at: it was right (200) or wrong (401)."""
        return self.status in (200, 401)

    @property
    def right(self) -> bool:
        """True when the secret was right."""
        return self.status == 200

    @property
    def challenged(self) -> bool:
        """True when the try may be sent again with a solved challenge: asked, not refused."""
        return self.status == 429 and "challenge" in self.document

    @property
    def document(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def cookie(self) -> str:
        """The session that the answer set, ready to be sent."""
        return self.headers.get("set-cookie", "").partition(";")[0]


class Client:
    """Sends requests to the demo at ``url``, one connection each, and waits ``timeout`` seconds for each answer.

    An ``honest`` one, told that the server is busy, waits ever longer, up to what the answer asks of it.
    """

    def __init__(
        self, url: str, forwarded: str | None, deadline: float, timeout: float = SOCKET_TIMEOUT, honest: bool = False
    ) -> None:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if not ip_address(host).is_loopback:
            raise ValueError("attacks go to loopback only")
        self._place = (host, parts.port or 80)
        self._headers = {"X-Forwarded-For": forwarded} if forwarded else {}
        self._deadline = deadline
        self._timeout = timeout
        self._honest = honest

    def send(
        self, method: str, path: str, fields: Mapping[str, object] | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """Send ``fields`` as JSON; ``path`` goes out as it is.

        ``headers`` that differ in case alone go out as two lines. Raises ``Broken`` for a server error other than 503,
        and when the attack's time is up; ``Silent`` when no answer came in time.
        """
        if time.monotonic() > self._deadline:
            raise Broken("the attack took too long")
        body = json.dumps(fields).encode() if fields is not None else None
        sent = {"Accept": "application/json", "Connection": "close", **self._headers, **(headers or {})}
        if body is not None:
            sent["Content-Type"] = "application/json"
        connection = HTTPConnection(*self._place, timeout=self._timeout)
        started = time.monotonic()
        try:
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            content = response.read()
            cookies = read_cookies(response.headers.get_all("Set-Cookie", []))
            answer = Answer(response.status, found, content, time.monotonic() - started, cookies)
        except TimeoutError as error:
            raise Silent("no answer in time") from error
        except OSError as error:
            raise Broken(f"no answer: {type(error).__name__}") from error
        finally:
            connection.close()
        if answer.status >= 500 and answer.status != 503:
            raise Broken(f"{method} {path} was answered {answer.status}")
        return answer

    def login(self, identifier: str, password: str, cookies: dict[str, str] | None = None) -> Answer:
        """Try ``password`` on ``identifier``, as the login form does, in a browser that has ``cookies``."""
        fields = {"identifier": identifier, "password": password}
        return self.insist("POST", "/login", fields, write_cookies(cookies) if cookies else None)

    def login_by_header(self, method: str, identifier: str, password: str) -> Answer:
        """Try it on the account page with HTTP Basic credentials."""
        credentials = base64.b64encode(f"{identifier}:{password}".encode()).decode()
        return self.insist(method, "/account", headers={"Authorization": f"Basic {credentials}"})

    def insist(
        self, method: str, path: str, fields: Mapping[str, object] | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """Send like :meth:`send`, and again while the answer is 503: a busy server has looked at no secret yet."""
        answer = self.send(method, path, fields, headers)
        for number in range(REPEATS):
            if answer.status != 503:
                break
            time.sleep(self._pause(answer, number))
            answer = self.send(method, path, fields, headers)
        return answer

    def _pause(self, answer: Answer, number: int) -> float:
        """Return the seconds to wait after the ``number``-th busy ``answer``, of which the first is 0.

        Attackers don't wait longer than they like. Honest clients double their pauses, at random by up to a half less,
        lest all that were sent away together come back together.
        """
        if not self._honest:
            return PAUSE
        asked = float(answer.headers.get("retry-after", PAUSE))
        return min(asked, PAUSE * (1 << number)) * random.uniform(0.5, 1.0)


def read_cookies(lines: Iterable[str]) -> dict[str, str]:
    """Return what ``Set-Cookie`` lines set, whatever their attributes ask of a browser."""
    pairs = (line.partition(";")[0].partition("=") for line in lines)
    return {name.strip(): value for name, _, value in pairs}


def write_cookies(cookies: dict[str, str]) -> dict[str, str]:
    """Return the header that sends ``cookies``."""
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
