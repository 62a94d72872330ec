"""Pseudonyms: apart where they must be, alike where they must be, and nothing without the secret."""

from __future__ import annotations

import hashlib
import hmac
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.errors import ConfigurationError
from authguard.identity import Pseudonymizer, derive_secret

SECRET, OLD = b"s" * 32, b"o" * 32
PARTS = st.lists(st.text(max_size=6), max_size=4)
TENANT = st.none() | st.text(max_size=3)


def make(secret: bytes | str = SECRET, *, app: str = "shop", previous: tuple[bytes, ...] = ()) -> Pseudonymizer:
    return Pseudonymizer(secret, app=app, previous=previous)


@pytest.mark.parametrize("secret", [b"s" * 16, b"s" * 32, b"s" * 64, b"s" * 65, "p\u00e4ssphrase of some length"])
def test_it_is_hmac_sha_256(secret: bytes | str) -> None:
    raw = secret.encode() if isinstance(secret, str) else secret
    expected = hmac.digest(raw, b"authguard:1:4:shop:k:-:2:id:5:login:3:ann", hashlib.sha256)
    assert make(secret).key("id", "login", "ann") == expected.hex()[:32]


def test_a_familys_tag_is_keyed_blake2b() -> None:
    key = hmac.digest(SECRET, b"authguard:1:4:shop:f:-:7:blake2b", hashlib.sha256)
    expected = hashlib.blake2b(b"t:-:6:client:3:ann", key=key, digest_size=32).digest()
    assert make().family("client", size=32).tag(["ann"]) == expected


def test_a_tag_is_hmac_sha_256_too() -> None:
    expected = hmac.digest(SECRET, b"authguard:1:4:shop:t:-:6:client:3:ann", hashlib.sha256)
    assert make().tag("client", "ann", size=32) == expected


@given(kind=st.text(max_size=5), parts=PARTS, tenant=TENANT)
def test_form(kind: str, parts: list[str], tenant: str | None) -> None:
    pseudonym = make().key(kind, *parts, tenant=tenant)
    assert re.fullmatch("[0-9a-f]{32}", pseudonym)
    assert pseudonym == make().key(kind, *parts, tenant=tenant)


@given(
    one=st.tuples(st.text(max_size=4), PARTS, TENANT),
    other=st.tuples(st.text(max_size=4), PARTS, TENANT),
)
def test_different_inputs_stay_apart(
    one: tuple[str, list[str], str | None], other: tuple[str, list[str], str | None]
) -> None:
    keys = [make().key(kind, *parts, tenant=tenant) for kind, parts, tenant in (one, other)]
    assert (keys[0] == keys[1]) == (one == other)


def test_parts_can_not_be_shifted() -> None:
    keys = {
        make().key("id", "a|bc"),
        make().key("id", "ab|c"),
        make().key("id", "a", "bc"),
        make().key("id", "ab", "c"),
        make().key("id", "1:a", "bc"),
        make().key("id", "a:2:bc"),
        make().key("i", "d", "a", "bc"),
        make().key("id"),
        make().key("id", ""),
        make().key("id", "", ""),
        make().key("id", tenant=""),
        make().key("id", "a", "bc", tenant="t"),
        make(app="shop2").key("id", "a", "bc"),
        make(OLD).key("id", "a", "bc"),
    }
    assert len(keys) == 14


def test_lone_surrogates_are_data() -> None:
    assert make().key("id", "\ud800") != make().key("id", "\udc00") != make().key("id", "?")


def test_only_text_is_taken() -> None:
    with pytest.raises(TypeError):
        make().key("id", b"ann")  # type: ignore[arg-type]


def test_rotation_reads_both_and_writes_the_new_one() -> None:
    before, during, after = make(OLD), make(SECRET, previous=(OLD,)), make(SECRET)
    assert during.key("id", "ann", tenant="t") == after.key("id", "ann", tenant="t")
    assert during.previous_keys("id", "ann", tenant="t") == (before.key("id", "ann", tenant="t"),)
    assert after.previous_keys("id", "ann") == ()


def test_tags() -> None:
    assert len(make().tag("client", "ann", size=7)) == 7
    assert make().tag("client", "ann", size=32)[:2] == make().tag("client", "ann", size=2)
    assert make().tag("client", "ann", size=16).hex() != make().key("client", "ann")
    assert make().tag("client", "ann", size=7) != make().tag("client", "ann", size=7, tenant="t")
    for size in (0, 33):
        with pytest.raises(ValueError, match="1 to 32"):
            make().tag("client", "ann", size=size)


@pytest.mark.parametrize("secret", [None, "", b"", "zzzzz", b"z" * 15])
def test_a_missing_or_short_secret_is_refused_with_what_to_do(secret: bytes) -> None:
    for use in (lambda: make(secret), lambda: make(previous=(secret,)), lambda: derive_secret(secret)):
        with pytest.raises(ConfigurationError, match="python -c") as caught:
            use()
        assert "zz" not in str(caught.value)


def test_a_secret_is_text_or_bytes() -> None:
    with pytest.raises(ConfigurationError):
        make(12345678901234567890)  # type: ignore[arg-type]


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ConfigurationError):
        make(previous=(SECRET,))
    with pytest.raises(ConfigurationError):
        make(app="")
    with pytest.raises(ConfigurationError):
        Pseudonymizer(SECRET, app="shop", previous=OLD)  # type: ignore[arg-type]


def test_it_hides_its_secret() -> None:
    made = Pseudonymizer("a secret nobody should see", app="shop", previous=[OLD])
    assert repr(made) == "<Pseudonymizer, 1 previous>"
    assert not hasattr(made, "__dict__")


def test_a_derived_secret_is_fixed_and_one_way() -> None:
    derived = derive_secret("flask secret key of this app")
    assert derived == derive_secret(b"flask secret key of this app")
    assert derived != derive_secret("flask secret key of that app")
    # RFC 5869 with hmac alone: extract with a salt of zeros, expand one block.
    extracted = hmac.digest(bytes(32), b"flask secret key of this app", "sha256")
    assert derived == hmac.digest(extracted, b"authguard pseudonyms 1\x01", "sha256")


def test_tags_of_a_rotation_come_with_the_current_one_first() -> None:
    before, during = make(OLD), make(SECRET, previous=(OLD,))
    expected = (make().tag("client", "ann", size=7, tenant="t"), before.tag("client", "ann", size=7, tenant="t"))
    assert during.tags("client", "ann", size=7, tenant="t") == expected
    assert make().tags("client", "ann", size=7) == (make().tag("client", "ann", size=7),)
