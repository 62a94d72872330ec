"""Binding: what a code is for, from whom, to whom; all of it must be the same when the code comes back."""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from authguard.identity import Pseudonymizer

TAG = 32
"""Bytes of the keyed hashes of a binding and of a code."""
LONGEST_ACCOUNT = 200
_PURPOSE = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Binding:
    """``purpose`` names the flow, ``to`` is what was typed, ``account`` the id of the account it led to.

    ``deliver`` is where the message goes, ``None`` for nowhere; ``browser`` the id in the browser's cookie. What was
    typed is taken letter by letter, apart from blanks around it: a counting key is coarser than an account. Raises
    ``ValueError`` for a purpose that is no word of lower-case letters, digits, ``-`` and ``_`` (it names metrics), and
    for an account's id of more than 200 bytes (it must fit into a link).
    """

    purpose: str
    to: str = field(repr=False)
    account: str | None = field(repr=False)
    deliver: str | None = field(repr=False)
    browser: str = field(repr=False)

    def __post_init__(self) -> None:
        if not _PURPOSE.fullmatch(self.purpose):
            raise ValueError("a purpose is a word of your own, such as 'login': lower-case letters, digits, - and _")
        if self.account is not None and len(self.account.encode("utf-8", "surrogatepass")) > LONGEST_ACCOUNT:
            raise ValueError(f"an account's id has at most {LONGEST_ACCOUNT} bytes")

    @property
    def parts(self) -> tuple[str, ...]:
        """The binding as texts; nothing given and something empty are told apart."""
        return (self.purpose, self.to.strip(), _spell(self.account), _spell(self.deliver), self.browser)

    def tag(self, pseudonymizer: Pseudonymizer) -> bytes:
        """Return what stands for the binding in a token."""
        return pseudonymizer.tag("otp-binding", *self.parts, size=TAG)

    def fits(self, pseudonymizer: Pseudonymizer, tag: bytes) -> bool:
        """Return whether ``tag`` was made of this binding, under the current or a retiring secret; in constant time."""
        return is_one_of(tag, pseudonymizer.tags("otp-binding", *self.parts, size=TAG))

    def mac(self, pseudonymizer: Pseudonymizer, challenge: bytes, version: int, code: str) -> bytes:
        """Return what stands for ``code`` in a token (law 12)."""
        return pseudonymizer.tag("otp-code", challenge.hex(), str(version), code, *self.parts, size=TAG)

    def has_code(self, pseudonymizer: Pseudonymizer, challenge: bytes, version: int, code: str, mac: bytes) -> bool:
        """Return whether ``mac`` stands for ``code``; in constant time."""
        parts = (challenge.hex(), str(version), code, *self.parts)
        return is_one_of(mac, pseudonymizer.tags("otp-code", *parts, size=TAG))


def is_one_of(tag: bytes, tags: Sequence[bytes]) -> bool:
    """Return whether ``tag`` is among ``tags``, after a look at each of them."""
    same = [hmac.compare_digest(tag, each) for each in tags]
    return any(same)


def _spell(text: str | None) -> str:
    return "-" if text is None else f"+{text}"
