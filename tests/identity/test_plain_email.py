"""Plain addresses: read without the library, and as the library reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.errors import IdentityError
from authguard.identity.email import _PLAIN, _validate, split_email

LOCAL = st.from_regex(r"[A-Za-z0-9]{1,4}([._+-][A-Za-z0-9]{1,4}){0,3}", fullmatch=True) | st.sampled_from(
    ["a" * 64, "a" * 65, "a.b+c-d_e", "POSTMASTER", "0"]
)
LABEL = st.from_regex(r"[A-Za-z0-9-]{1,6}", fullmatch=True) | st.sampled_from(
    ["xn--bcher-kva", "xn--a", "a" * 63, "a" * 64]
)
DOMAIN = st.lists(LABEL, min_size=1, max_size=3).map(".".join) | st.builds(
    "{}.{}".format, LABEL, st.sampled_from(["com", "co.uk", "test", "local", "123", "", "a..com"])
)


def outcome(text: str, *, through_library: bool) -> tuple[str, str] | str:
    try:
        if not through_library:
            return split_email(text)
        local, domain = _validate(text, may_quote=True)
    except IdentityError as error:
        return error.code
    return local.lower(), domain


@given(local=LOCAL, domain=DOMAIN)
def test_they_are_what_the_library_makes_of_them(local: str, domain: str) -> None:
    text = f"{local}@{domain}".rstrip(".")
    assert outcome(text, through_library=False) == outcome(text, through_library=True)


@pytest.mark.parametrize(
    "text", [".a@example.com", "a.@example.com", "a..b@example.com", '"a"@example.com', "ä@example.com"]
)
def test_what_is_not_plain_goes_through_the_library(text: str) -> None:
    assert _PLAIN.fullmatch(text) is None
