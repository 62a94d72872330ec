"""``authguard spend show`` says what every cap holds, where the environment points."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from authguard.cli.main import main
from authguard.identity import Pseudonymizer, derive_secret
from authguard.policy.settings import merge_settings
from authguard.policy.toml import parse_file
from authguard.spend import Ledger, read_channels
from authguard.stores import Store, open_store

SECRET = "a secret for these tests only"
FILE = """
[spend.sms]
unit = "cents"
price = 5
breaker.off = true

[spend.sms.caps]
day = "100/1d"
hour = "off"
"""


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An application's folder and environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AUTHGUARD_STORE", "sqlite:///store.db")
    monkeypatch.setenv("AUTHGUARD_NAMESPACE", "shop")
    monkeypatch.setenv("AUTHGUARD_SECRET", SECRET)
    monkeypatch.delenv("SECRET_KEY", raising=False)
    Path("authguard.toml").write_text(FILE)


@pytest.fixture
def store() -> Iterator[Store]:
    """The application's store."""
    opened = open_store("sqlite:///store.db", deadline=30_000_000)
    yield opened
    opened.close()


def ledger(store: Store, secret: bytes | str = SECRET) -> Ledger:
    """Return the application's ledger."""
    settings = merge_settings(parse_file("authguard.toml"), "authguard.toml")
    return Ledger(store, Pseudonymizer(secret, app="shop"), read_channels(settings.spend))


def show(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, list[str]], str]:
    """Run the command; return its exit code, the cells of the channel's rows by cap, and its errors."""
    code = main(["spend", "show", *arguments])
    out, err = capsys.readouterr()
    rows = [line.split() for line in out.splitlines()]
    return code, {row[1]: row[2:] for row in rows if row[0] == "sms"}, err


def test_it_shows_what_is_spent_reserved_and_left(capsys: pytest.CaptureFixture[str], store: Store) -> None:
    with ledger(store).reserve("sms", "+447400000001") as reservation:
        reservation.dispatch()
    ledger(store).reserve("sms", "+447400000002", known=True)
    code, caps, err = show(capsys)
    assert (code, err) == (0, "")
    assert caps == {
        "total": ["in", "7", "days", "5", "5", "-", "cents"],
        "day": ["100/1d", "5", "5", "90", "cents"],
        "day:strangers": ["80/1d", "5", "0", "75", "cents"],
        "day:known": ["80/1d", "0", "5", "75", "cents"],
    }


def test_a_spent_cap_is_an_exit_code(capsys: pytest.CaptureFixture[str], store: Store) -> None:
    ledger(store).reserve("sms", "+447400000001", cost=80).dispatch()
    code, caps, _ = show(capsys, "authguard.toml")
    assert (code, caps["day:strangers"][3]) == (1, "0")


def test_the_application_s_own_secret_will_do(
    capsys: pytest.CaptureFixture[str], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger(store, derive_secret("what Flask signs its cookies with")).reserve("sms", "+447400000001").dispatch()
    monkeypatch.delenv("AUTHGUARD_SECRET")
    monkeypatch.setenv("SECRET_KEY", "what Flask signs its cookies with")
    assert show(capsys)[1]["day"][1] == "5"


def test_what_was_spent_under_a_secret_before_a_rotation_is_shown(
    capsys: pytest.CaptureFixture[str], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger(store).reserve("sms", "+447400000001").dispatch()
    ledger(store, "a newer secret for these tests").reserve("sms", "+447400000002").dispatch()
    monkeypatch.setenv("AUTHGUARD_SECRET", "a newer secret for these tests")
    monkeypatch.setenv("AUTHGUARD_PREVIOUS_SECRETS", f"{SECRET},an even older one of these")
    assert show(capsys)[1]["day"][1] == "10"


def test_what_looks_like_another_s_books_is_said(capsys: pytest.CaptureFixture[str], store: Store) -> None:
    ledger(store, "the application has another secret").reserve("sms", "+447400000001").dispatch()
    code, caps, err = show(capsys)
    assert (code, caps["day"][1]) == (0, "0")
    assert err.startswith("nothing was spent in seven days; if that is wrong, AUTHGUARD_STORE, ")


@pytest.mark.parametrize("name", ["AUTHGUARD_STORE", "AUTHGUARD_NAMESPACE", "AUTHGUARD_SECRET"])
def test_what_the_environment_lacks_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv(name)
    code, caps, err = show(capsys)
    assert (code, caps) == (2, {})
    assert name in err


def test_a_store_that_can_t_be_read_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTHGUARD_STORE", "redis://127.0.0.1:1/0")
    code, _, err = show(capsys)
    assert code == 2
    assert err.startswith("the store can't be read: ")


def test_check_reads_the_channels_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0
    Path("authguard.toml").write_text("[spend.sms]\nprice = 0\n")
    assert main(["check"]) == 2
    assert capsys.readouterr().err.startswith("authguard.toml: [spend.sms] can't work: a price")
