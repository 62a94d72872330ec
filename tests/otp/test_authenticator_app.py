"""The authenticator app: the published vectors, the drift that is allowed, and secrets that are none."""

from __future__ import annotations

import base64
import builtins
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from pyotp import TOTP

from authguard.clock import SECOND
from authguard.errors import ConfigurationError
from authguard.otp.authenticator_app import AuthenticatorApp, new_app

PUBLISHED = AuthenticatorApp(base64.b32encode(b"12345678901234567890").decode())
"""The secret of RFC 6238, appendix B, whose eight digits end in these six."""
VECTORS = [
    (59, "287082"),
    (1111111109, "081804"),
    (1111111111, "050471"),
    (1234567890, "005924"),
    (2000000000, "279037"),
    (20000000000, "353130"),
]


@pytest.mark.parametrize(("at", "code"), VECTORS)
def test_the_published_vectors(at: int, code: str) -> None:
    assert PUBLISHED.matching_step(code, at * SECOND) == at // 30


@pytest.mark.parametrize(("steps", "right"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_an_app_may_be_a_step_ahead_or_behind(steps: int, right: bool) -> None:
    at, code = VECTORS[3]
    assert (PUBLISHED.matching_step(code, (at + 30 * steps) * SECOND) == at // 30) is right


@pytest.mark.parametrize("code", ["", "00592", "0059244", "٠٠٥٩٢٤", " 005924", 5924, None, ["005924"], b"005924"])
def test_what_is_no_code_is_no_step(code: object) -> None:
    assert PUBLISHED.matching_step(code, 1234567890 * SECOND) is None


def test_what_is_no_code_is_wrong_even_where_zeros_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is compared as six zeros, for equal work."""
    monkeypatch.setattr(TOTP, "generate_otp", lambda self, step: "000000")
    assert PUBLISHED.matching_step("000000", 1234567890 * SECOND) is not None
    assert PUBLISHED.matching_step("x", 1234567890 * SECOND) is None


def test_new_secrets_differ_and_the_uri_holds_one() -> None:
    app = new_app()
    assert app != new_app()
    assert len(base64.b32decode(app.secret)) == 20
    uri = urlsplit(app.uri("owner@example.com", "Example"))
    assert (uri.scheme, uri.netloc) == ("otpauth", "totp")
    assert parse_qs(uri.query) == {"secret": [app.secret], "issuer": ["Example"]}
    assert app.secret not in repr(app)


@pytest.mark.parametrize("secret", ["", "not base 32!", "GEZDGNBV"])
def test_a_secret_that_is_none_or_too_short_is_refused(secret: str) -> None:
    with pytest.raises(ConfigurationError, match="112 bits"):
        AuthenticatorApp(secret).matching_step("000000", 0)


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "pyotp":
            raise ImportError
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ConfigurationError, match=r"authguard\[totp\]"):
        PUBLISHED.matching_step("000000", 0)
    with pytest.raises(ConfigurationError, match=r"authguard\[totp\]"):
        new_app()
