"""Region: a number is one country's to whoever counts it, pays for it and sends there; else nothing starts."""

from __future__ import annotations

import pytest

from authguard.errors import ConfigurationError
from authguard.flask.region import one_region
from authguard.policy.settings import Settings, merge_settings
from authguard.policy.toml import parse_text

IDENTITY = '[identity]\ndefault_region = "GB"\n'
SMS_GB, SMS_DE = ('[spend.sms]\ndefault_region = "GB"\n', '[spend.sms]\ndefault_region = "DE"\n')
SIGNUP_DE = '[policies.signup]\ndefault_region = "DE"\n'
SEND_GB = '[policies.otp-send]\ndefault_region = "GB"\n'


def settings(text: str) -> Settings:
    return merge_settings(parse_text(text, "f.toml"), "f.toml")


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("", None),
        (IDENTITY, "GB"),
        (IDENTITY + SMS_GB, "GB"),
        (SEND_GB, "GB"),
        (SEND_GB + SMS_GB, "GB"),
        ('[spend.newsletter]\ndefault_region = "DE"\n', None),  # no phone numbers
    ],
)
def test_what_is_said_once_holds_for_all(text: str, region: str | None) -> None:
    for texts in (True, False):
        assert one_region(settings(text), texts=texts) == region


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (IDENTITY + SMS_DE, r"\[spend.sms\] .* of DE, and the policies as those of GB; .* \[identity\]"),
        (SMS_DE, r"\[spend.sms\] .* of DE, and the policies as those of no country"),
        (IDENTITY + SIGNUP_DE + SMS_GB, "of GB, and the policies as those of DE and GB"),
        (IDENTITY + '[spend.voice]\nkind = "phone"\ndefault_region = "FR"\n', r"\[spend.voice\]"),
    ],
)
def test_a_ledger_that_reads_numbers_otherwise_is_refused(text: str, words: str) -> None:
    for texts in (True, False):
        with pytest.raises(ConfigurationError, match=words):
            one_region(settings(text), texts=texts)


def test_policies_may_differ_where_no_text_message_is_sent() -> None:
    assert one_region(settings(IDENTITY + SIGNUP_DE), texts=False) is None
    with pytest.raises(ConfigurationError, match="of DE and GB, so that a text message might go to either"):
        one_region(settings(IDENTITY + SIGNUP_DE), texts=True)
