"""The page on codes: its application runs, and lets in whoever its messages reach."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pyotp import TOTP

from authguard.otp.rules import KEYS, CodeRules, read_rules
from authguard.policy.settings import merge_settings
from authguard.policy.toml import parse_text
from tests.repository.tree import ROOT

PAGE = (ROOT / "docs/codes.md").read_text()
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the page's examples define, run in their order."""
    monkeypatch.setenv("AUTHGUARD_STORE", f"sqlite:///{tmp_path / 'store.db'}")
    made: dict[str, Any] = {"__name__": "example"}
    for example in EXAMPLES:
        exec(compile(example, "codes.md", "exec"), made)  # noqa: S102 - our own page
    return made


def drain(names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> str:
    assert names["app"].extensions["authguard"].codes.sender.drain()
    return capsys.readouterr().err


def test_the_login_lets_in_by_code_and_by_link(names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    client = names["app"].test_client()
    page = client.post("/login", data={"email": "owner@example.com"}).text
    assert "another one in 60 seconds" in page
    token = re.search(r'name="token" value="([^"]+)"', page)
    message = drain(names, capsys)
    code, link = re.search(r"\b[0-9]{6}\b", message), re.search(r"https://example\.com(/continue/\S+)", message)
    assert token
    assert code
    assert link
    fields = {"email": "owner@example.com", "token": token[1]}
    assert client.post("/code", data={**fields, "code": "nonsense"}).status_code == 400
    assert client.get(link[1]).status_code == 200
    assert client.post("/code", data={**fields, "code": code[0]}).location == "/"
    with client.session_transaction() as session:
        assert session["user"] == "42"
    assert client.post(link[1]).status_code == 400


def test_a_receipt_leaves_once_for_each_key(names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    with names["app"].app_context():
        for key in ("one", "one", "another"):
            names["send_receipt"]("owner@example.com", f"Receipt {key}", key)
    assert re.findall(r"Receipt \w+", drain(names, capsys)) == ["Receipt one", "Receipt another"]


def test_the_link_lets_in(names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    names["app"].test_client().post("/login", data={"email": "owner@example.com"})
    link = re.search(r"https://example\.com(/continue/\S+)", drain(names, capsys))
    assert link
    reader = names["app"].test_client()
    assert reader.post(link[1]).location == "/"
    with reader.session_transaction() as session:
        assert session["user"] == "42"


def test_nobody_sees_the_same_page_and_gets_nothing(names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    pages = [
        names["app"].test_client().post("/login", data={"email": email}).text
        for email in ("owner@example.com", "nobod@example.com")
    ]
    assert [len(page) for page in pages] == [len(pages[0])] * 2
    assert drain(names, capsys).count("--- mail to") == 1


def test_the_second_factors_let_in_once(names: dict[str, Any]) -> None:
    store = names["app"].extensions["authguard"].store
    code = TOTP(names["new"].secret).at(store.now() // 1_000_000)
    for fields in ({"code": code}, {"recovery": names["codes"][0]}):
        client = names["app"].test_client()
        with client.session_transaction() as session:
            session["first_factor"] = "42"
        assert client.post("/second-factor", data=fields).location == "/"
        assert client.post("/second-factor", data=fields).status_code == 400
    assert len(names["hashes"]) == 9


def test_messages_in_other_words_hold_code_and_link(names: dict[str, Any]) -> None:
    content = names["Content"]("login", "mail", 1, True, "012345", "https://example.com/l")
    assert {"012345", "https://example.com/l"} <= set(names["German"]().write(content).body.split())


def test_the_file_says_what_is_shipped_but_for_the_digits() -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    settings = merge_settings(parse_text(text, "f"), "f")
    assert read_rules(settings.codes) == CodeRules()
    shipped = merge_settings({}, "f")
    assert settings.policies["message"] == shipped.policies["message"]
    assert settings.policies["otp-verify"].digits == 8


def test_the_reference_lists_what_codes_may_say() -> None:
    page = (ROOT / "docs/policies.md").read_text()
    section = page.partition("### `[codes]`")[2].partition("\n## ")[0]
    told = re.findall(r"^\| `(\w+)` .* \| `([^`]+)` \|$", section, re.MULTILINE)
    assert [key for key, _ in told] == KEYS.split(", ")
    text = "[codes]\n" + "\n".join(f"{key} = {value}" for key, value in told)
    assert read_rules(merge_settings(parse_text(text, "f"), "f").codes) == CodeRules()
