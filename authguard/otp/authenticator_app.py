"""Authenticator app: time-based codes (TOTP, RFC 6238) of one account's secret."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from authguard.clock import SECOND
from authguard.errors import ConfigurationError
from authguard.otp.digits import is_code

if TYPE_CHECKING:
    from pyotp import TOTP

STEP = 30
"""Seconds for which an app shows one code (RFC 6238, 4)."""
DRIFT = 1
"""Steps by which an app's clock may be ahead or behind: three codes are right at a time (RFC 6238, 5.2)."""
DIGITS = 6
_MISSING = "authenticator apps need pyotp; install authguard[totp]"


@dataclass(frozen=True, slots=True)
class AuthenticatorApp:
    """One account's app. ``secret`` is in base 32, as :func:`new_app` makes it.

    Needs ``authguard[totp]``; raises ``ConfigurationError`` without it, and for a secret that is not base 32 or has
    fewer than 112 bits.
    """

    secret: str = field(repr=False)

    def uri(self, account: str, issuer: str) -> str:
        """Return what the QR code says that an app is set up with. It holds the secret: show it once, log it never."""
        return str(self._made().provisioning_uri(name=account, issuer_name=issuer))

    def matching_step(self, code: object, now: int) -> int | None:
        """Return the time step that ``code`` belongs to, ``None`` for none; ``now`` is in microseconds.

        The work is the same for every code.
        """
        made, current = self._made(), now // SECOND // STEP
        shaped = isinstance(code, str) and is_code(code, DIGITS)
        given = code if shaped and isinstance(code, str) else "0" * DIGITS
        found = None
        for step in range(current - DRIFT, current + DRIFT + 1):
            if hmac.compare_digest(made.generate_otp(step), given) and shaped:
                found = step
        return found

    def _made(self) -> TOTP:
        try:
            from pyotp import TOTP
        except ImportError:
            raise ConfigurationError(_MISSING) from None
        try:
            return TOTP(self.secret, digits=DIGITS, interval=STEP)
        except ValueError:
            raise ConfigurationError("an authenticator's secret is base 32 of at least 112 bits") from None


def new_app() -> AuthenticatorApp:
    """Return an app with a new secret of 160 bits (RFC 4226, 4, R6)."""
    try:
        from pyotp import random_base32
    except ImportError:
        raise ConfigurationError(_MISSING) from None
    return AuthenticatorApp(random_base32(32))
