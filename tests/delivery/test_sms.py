"""SMS: the two request formats against a real server, and what each outcome means."""

from __future__ import annotations

import base64
import json
import re
import ssl
from http.client import HTTPException
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from authguard.delivery import Channel, Deliver, Message, NotDelivered
from authguard.delivery.https import Endpoint, Uncertain
from authguard.delivery.sms import FormSms, JsonSms
from authguard.delivery.smtp import SmtpMail
from authguard.errors import ConfigurationError
from tests.delivery.providers import message
from tests.servers.certificates import Certificates
from tests.servers.http import HttpServer
from tests.servers.ports import free_port

TEXT = "Your code is 012345.\n@example.com #012345"


def test_a_form_with_basic_authentication() -> None:
    with HttpServer(201) as server:
        FormSms(server.url + "/Accounts/AC1/Messages.json", "AC1", "s:ecret", "+15005550001").deliver(message(TEXT))
    (asked,) = server.asked
    assert asked.target == "/Accounts/AC1/Messages.json"
    assert parse_qs(asked.body.decode()) == {"To": ["+15005550006"], "From": ["+15005550001"], "Body": [TEXT]}
    assert base64.b64decode(asked.headers["Authorization"].removeprefix("Basic ")) == b"AC1:s:ecret"
    assert asked.headers["Content-Type"] == "application/x-www-form-urlencoded"


def test_json_with_a_bearer_token() -> None:
    with HttpServer(200) as server:
        JsonSms(server.url + "/v2/messages", "KEY", "+15005550001").deliver(message(TEXT))
    (asked,) = server.asked
    assert json.loads(asked.body) == {"to": "+15005550006", "from": "+15005550001", "text": TEXT}
    assert asked.headers["Authorization"] == "Bearer KEY"
    assert asked.headers["Content-Type"] == "application/json"


def test_a_key_is_that_of_one_number_and_of_any_letters() -> None:
    """A provider that knew it for two numbers would answer the second as it did the first, and send nothing."""
    with HttpServer(200) as server:
        for to, key in ("+15005550006", "1"), ("+15005550007", "1"), ("+15005550006", "1"), ("+1", "счёт 1\r\nX: y"):
            JsonSms(server.url, "KEY", "+1").deliver(Message(Channel.SMS, to, TEXT, key=key))
    keys = [asked.headers["Idempotency-Key"] for asked in server.asked]
    assert keys[0] == keys[2] != keys[1]
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in keys)


def providers(url: str) -> list[Deliver]:
    return [FormSms(url, "AC1", "secret", "+1"), JsonSms(url, "KEY", "+1")]


@pytest.mark.parametrize("status", [302, 400, 401, 404, 422, 429])
def test_a_no_is_certain_and_a_redirect_is_not_followed(status: int) -> None:
    with HttpServer(status) as server:
        for provider in providers(server.url):
            with pytest.raises(NotDelivered) as caught:
                provider.deliver(message())
            assert caught.value.code == f"status_{status}"
    assert len(server.asked) == 2


@pytest.mark.parametrize("status", [408, 409, 500, 502, 503])
def test_an_error_that_may_follow_a_sent_message_is_uncertain(status: int) -> None:
    with HttpServer(status) as server:
        for provider in providers(server.url):
            with pytest.raises(Uncertain):
                provider.deliver(message())


def test_a_connection_that_breaks_after_the_request_is_uncertain() -> None:
    with HttpServer(0) as server:
        for provider in providers(server.url):
            with pytest.raises((OSError, HTTPException)):
                provider.deliver(message())


def test_nobody_reached_is_certain() -> None:
    for provider in providers(f"http://127.0.0.1:{free_port()}"):
        with pytest.raises(NotDelivered) as caught:
            provider.deliver(message())
        assert caught.value.code == "unreachable"


def test_a_certificate_must_be_trusted(tmp_path: Path) -> None:
    certificates = Certificates(tmp_path)
    trusting = ssl.create_default_context(cafile=str(certificates.authority))
    with HttpServer(201, certificates=certificates) as server:
        JsonSms(server.url, "KEY", "+1", context=trusting).deliver(message())
        with pytest.raises(NotDelivered):
            JsonSms(server.url, "KEY", "+1").deliver(message())
    assert len(server.asked) == 1


@pytest.mark.parametrize("url", ["http://sms.example/", "ftp://sms.example/", "https:///x", "https://u:p@sms.example/"])
def test_an_unsafe_url_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError):
        Endpoint(url)


@pytest.mark.parametrize("token", ["", "KEY\n", "KEY ", "KEY\r\nX: y", "KEY\u2026"])
def test_a_token_that_no_header_holds_is_said_at_start(token: str) -> None:
    """Read from a file it often ends in a line break; each message would fail with its money spent."""
    with pytest.raises(ConfigurationError, match="line break") as caught:
        JsonSms("https://sms.example/", token, "+1")
    assert not token.strip() or token.strip() not in str(caught.value)


def test_a_user_with_a_colon_would_be_another() -> None:
    with pytest.raises(ConfigurationError, match="colon"):
        FormSms("https://sms.example/", "AC:1", "secret", "+1")


def test_half_a_letter_keeps_no_message_back() -> None:
    with HttpServer(200) as server:
        for provider in providers(server.url):
            provider.deliver(message("half a \ud83d"))
    assert len(server.asked) == 2


@pytest.mark.parametrize("asked", [ssl.CERT_NONE, ssl.CERT_REQUIRED], ids=["no certificate", "anybody's"])
def test_a_context_that_trusts_any_server_is_refused(asked: ssl.VerifyMode) -> None:
    trusting = ssl.create_default_context()
    trusting.check_hostname = False
    trusting.verify_mode = asked
    for provide in (
        lambda: JsonSms("https://sms.example/", "KEY", "+1", context=trusting),
        lambda: SmtpMail("localhost", 25, "codes@example.com", context=trusting),
    ):
        with pytest.raises(ConfigurationError, match="trusts any server"):
            provide()


def test_a_timeout_is_bounded() -> None:
    with pytest.raises(ConfigurationError):
        Endpoint("https://sms.example/", timeout=0)
    with pytest.raises(ConfigurationError):
        Endpoint("https://sms.example/", timeout=61)


@pytest.mark.parametrize(
    "to", ["07400 000001", "+44 7400 000001", "447400000001", "+", "+" + "1" * 18, "+４４7400000001"]
)
def test_a_number_that_a_provider_might_read_otherwise_is_no_message(to: str) -> None:
    with pytest.raises(ValueError, match="international form"):
        message(to=to)
