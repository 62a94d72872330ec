"""Logs in every format: the same logins come out, and what can't be read is counted and told."""

from __future__ import annotations

from pathlib import Path

import pytest

from authguard.clock import SECOND
from authguard.errors import ConfigurationError
from authguard.login.replay.access_log import AccessLog
from authguard.login.replay.attack_windows import AttackWindows, read_windows
from authguard.login.replay.log_file import read_log
from authguard.login.replay.moment import read_moment
from authguard.login.replay.record import Origin, Record

NOON = 1_541_073_600 * SECOND
"""2018-11-01 12:00:00 UTC"""
LOGINS = (
    Record(NOON, "192.0.2.1", "ann", False),
    Record(NOON + 2 * SECOND, "2001:db8::7", "bob", True),
)
CSV = """\
datetime,source_ip,username,success,failure_reason
2018-11-01 12:00:02,2001:db8::7,bob,True,
2018-11-01 12:00:00,192.0.2.1,ann,False,error_wrong_password
"""
JSON = """\
{"@timestamp": "2018-11-01T13:00:00+01:00", "client_ip": "192.0.2.1", "user": "ann", "outcome": "failure"}

{"@timestamp": 1541073602, "client_ip": "2001:db8::7", "user": "bob", "outcome": "success", "more": [1]}
"""
COMMON = """\
192.0.2.1 - ann [01/Nov/2018:12:00:00 +0000] "POST /login HTTP/1.1" 401 12
192.0.2.1 - - [01/Nov/2018:12:00:01 +0000] "GET /login HTTP/1.1" 200 900
192.0.2.1 - - [01/Nov/2018:12:00:01 +0000] "POST /search HTTP/1.1" 200 900
192.0.2.1 - ann [01/Nov/2018:12:00:01 +0000] "POST /login HTTP/1.1" 429 12
192.0.2.1 - ann [01/Nov/2018:12:00:01 +0000] "POST /login HTTP/1.1" 503 -
2001:db8::7 - bob [01/Nov/2018:13:00:02 +0100] "POST /login?next=%2F HTTP/1.1" 302 -
"""
COMBINED = "".join(f'{line} "-" "curl/8 \\"quoted\\""\n' for line in COMMON.splitlines())


def write(folder: Path, text: str) -> Path:
    path = folder / "log"
    path.write_text(text)
    return path


@pytest.mark.parametrize("text", [CSV, JSON, COMMON, COMBINED, "\ufeff" + CSV, CSV.replace("\n", "\r\n")])
def test_every_format_tells_the_same(tmp_path: Path, text: str) -> None:
    log = read_log(write(tmp_path, text))
    assert log.records == LOGINS
    assert log.skipped == 0


def test_an_access_log_tells_by_path_and_status(tmp_path: Path) -> None:
    path = write(tmp_path, COMMON.replace("/login", "/sign-in"))
    with pytest.raises(ConfigurationError, match="--path"):
        read_log(path)
    records = read_log(path, AccessLog("/sign-in", frozenset({401}))).records
    assert [record.succeeded for record in records] == [True, False]


def test_an_access_log_may_know_no_accounts(tmp_path: Path) -> None:
    path = write(tmp_path, COMMON.replace(" ann ", " - ").replace(" bob ", " - "))
    assert [record.account for record in read_log(path).records] == [None, None]


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        (CSV, "2018-11-01 12:00:00,192.0.2.1,ann,perhaps,\n"),
        (CSV, "the day before,192.0.2.1,ann,True,\n"),
        (CSV, "2018-11-01 12:00:00,,ann,True,\n"),
        (CSV, "1918-11-01 12:00:00,192.0.2.1,ann,True,\n"),
        (JSON, "[1, 2]\n"),
        (JSON, '{"time": 1541073600}\n'),
        (JSON, "[" * 100_000 + "\n"),
        (COMMON, "hello\n"),
        (COMMON, '192.0.2.1 - ann [31/Feb/2018:12:00:00 +0000] "POST /login HTTP/1.1" 401 12\n'),
    ],
)
def test_a_line_that_can_t_be_read_is_counted(tmp_path: Path, text: str, bad: str) -> None:
    log = read_log(write(tmp_path, text + bad))
    assert log.records == LOGINS
    assert log.skipped == 1
    assert log.first.startswith("entry ")
    assert "192.0.2.1" not in log.first


@pytest.mark.parametrize("text", ["", "\n\n", "one,two\n1,2\n", CSV.splitlines()[0], CSV + '"' + "x" * 200_000])
def test_a_file_without_logins_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigurationError):
        read_log(write(tmp_path, text))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for read in (read_log, read_windows):
        with pytest.raises(ConfigurationError, match="can't be read"):
            read(tmp_path / "none")


@pytest.mark.parametrize(
    "text",
    ["2018-11-01 12:00:00", "2018-11-01T12:00:00Z", "2018-11-01T07:00:00-05:00", "1541073600", "1541073600000"],
)
def test_a_moment_has_many_spellings(text: str) -> None:
    assert read_moment(text) == NOON


def test_fractions_are_kept() -> None:
    assert read_moment("2018-11-01 12:00:00.123456") == NOON + 123_456
    assert read_moment("1541073600.5") == NOON + SECOND // 2


def test_a_window_is_one_address_s_and_a_second_wider() -> None:
    windows = AttackWindows([(NOON, NOON + SECOND, "192.0.2.1"), (NOON - 9 * SECOND, NOON - 8 * SECOND, "192.0.2.1")])
    at = [NOON - 8 * SECOND, NOON - SECOND - 1, NOON - SECOND, NOON + 2 * SECOND, NOON + 2 * SECOND + 1]
    records = windows.label(Record(each, "192.0.2.1", "ann", False) for each in at)
    assert [record.origin is Origin.ATTACK for record in records] == [True, False, True, True, False]
    (other,) = windows.label([Record(NOON, "192.0.2.2", "ann", False)])
    assert other.origin is Origin.PEOPLE


@pytest.mark.parametrize("text", ["start,end\n2018-11-01,2018-11-02\n", "start,end,source_ip\nsoon,later,192.0.2.1\n"])
def test_windows_without_their_columns_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigurationError, match="start, end and source_ip"):
        read_windows(write(tmp_path, text))
