"""Hand factors: recovery codes checked by hand, within the counter that the account's passwords have."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence

from authguard.otp.recovery import hash_recovery_code
from demo_app.gate import Gate


class HandFactors:
    """Counts a guess at a code like one at the password."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    def check_recovery(self, account: str, hashes: Sequence[str], code: str, strike: Callable[[str], bool]) -> bool:
        """Return whether ``code`` is one of those whose ``hashes`` are stored."""
        with self._gate.attempt("login", id=account, secret=code) as attempt:
            made = hash_recovery_code(account, code) or ""
            right = any(hmac.compare_digest(each, made) for each in hashes) and strike(made)
            if right:
                attempt.succeed()
        return right
