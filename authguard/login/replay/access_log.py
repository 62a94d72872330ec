"""Access log: logins in the log of a web server, in the common or the combined format."""

from __future__ import annotations

import re
from datetime import datetime

from authguard.login.replay.moment import microseconds
from authguard.login.replay.record import Record

LINE = re.compile(
    r'(?P<address>\S+) \S+ (?P<user>\S+|"[^"]*") \[(?P<time>[^]]{20,40})\] '
    r'"(?P<method>[A-Z]{1,16}) (?P<target>\S+)(?: HTTP/[0-9.]+)?" (?P<status>[0-9]{3}) (?:[0-9]+|-)(?: .*)?'
)
_TIME = "%d/%b/%Y:%H:%M:%S %z"


class AccessLog:
    """Reads the lines of one endpoint.

    A login is a request to ``path`` with a body (POST, PUT, PATCH). ``success`` are the statuses that a successful one
    is answered with; empty: all below 400. Other statuses below 500 but 429 are failures; the rest say nothing about
    the secret.
    """

    def __init__(self, path: str = "/login", success: frozenset[int] = frozenset()) -> None:
        self._path = path
        self._success = success

    def read(self, line: str) -> Record | None:
        """Return the record in ``line``, ``None`` for another request; raises ``ValueError`` for no such line."""
        found = LINE.fullmatch(line.rstrip("\r\n"))
        if found is None:
            raise ValueError("this is no line of an access log")
        status = int(found["status"])
        path = found["target"].split("?", 1)[0]
        if found["method"] not in ("POST", "PUT", "PATCH") or path != self._path:
            return None
        if status == 429 or status >= 500:
            return None
        at = microseconds(datetime.strptime(found["time"], _TIME))  # noqa: DTZ007 - the format ends in an offset
        succeeded = status in self._success if self._success else status < 400
        user = found["user"].strip('"')
        return Record(at, found["address"], None if user in ("-", "") else user, succeeded)
