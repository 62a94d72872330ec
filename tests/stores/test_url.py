"""Store URLs: a wrong one stops the start with one sentence, which repeats no password."""

from __future__ import annotations

import pytest

from authguard.errors import ConfigurationError
from authguard.stores import open_store


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("redis://:pass-word@[::1/0", "brackets"),
        ("memory://somewhere", "whole URL"),
        ("memory", "memory://"),
        ("", "memory://"),
        ("mysql://localhost", "mysql"),
        ("redis://:pass-word@localhost:port/0", "port"),
        ("redis://localhost/zero", "database"),
        ("sqlite://relative", "sqlite:///"),
    ],
)
def test_a_wrong_url_is_one_sentence(url: str, sentence: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        open_store(url)
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "pass-word" not in str(raised.value)
