"""Code setup: demos in which an attack on codes meets the one defense that it is about."""

from __future__ import annotations

from attacks.target import Setup

_SENDS = ("account", "account-a-day", "address")
_GAPS = ("pace", "ladder")

PLAIN = Setup(proxied=True)
FREE_SENDS = Setup(
    proxied=True,
    config="".join(f"[policies.otp-send.layers.{layer}]\nremove = true\n" for layer in _SENDS)
    + "[policies.signup.layers.account]\nremove = true\n"
    + "".join(f"[policies.message.layers.{layer}]\nremove = true\n" for layer in _GAPS)
    + '[spend.mail]\ndestination = "off"\n',
)
"""Strangers who ask get a message, so that nothing but what becomes of the codes makes the difference."""
