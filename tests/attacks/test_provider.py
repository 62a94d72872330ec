"""The attacks' own SMS provider: it sends, keeps quiet, breaks and dies, and says what it truly sent."""

from __future__ import annotations

import pytest

from attacks.provider import BROKEN, REFUSING, SILENT, busiest, run_provider
from authguard.delivery import Channel, Message, NotDelivered
from authguard.delivery.https import Uncertain
from authguard.delivery.sms import JsonSms


def test_it_says_what_it_sent_whatever_it_answered() -> None:
    with run_provider() as provider:
        patient, hasty = (JsonSms(provider.url, "a token", "us", timeout=seconds) for seconds in (20.0, 0.2))
        patient.deliver(Message(Channel.SMS, "+1", "well", key="one key"))
        patient.deliver(Message(Channel.SMS, "+1", "again", key="one key"))
        provider.behave(SILENT)
        with pytest.raises(OSError, match=r"time|closed"):
            hasty.deliver(Message(Channel.SMS, "+2", "silent"))
        provider.behave(BROKEN)
        with pytest.raises(Uncertain):
            patient.deliver(Message(Channel.SMS, "+3", "broken"))
        provider.behave(REFUSING)
        with pytest.raises(NotDelivered):
            patient.deliver(Message(Channel.SMS, "+3", "refused"))
        provider.kill()
        with pytest.raises(NotDelivered):
            patient.deliver(Message(Channel.SMS, "+4", "dead"))
        assert [text.text for text in provider.sent()] == ["well", "again", "silent", "broken"]
        assert [text.text for text in provider.refused()] == ["refused"]
        assert [text.text for text in provider.sent("+1")] == ["well", "again"]


def test_the_busiest_stretch_is_half_open() -> None:
    assert busiest([1.0, 2.0, 3.0, 10.0], 2.0) == 2
    assert busiest([1.0, 2.0, 2.5, 10.0], 2.0) == 3
    assert busiest([], 2.0) == 0
