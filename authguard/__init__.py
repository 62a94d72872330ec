"""authguard: abuse defense for the login, one-time-code, sign-up and password-reset endpoints of Flask applications."""

from __future__ import annotations

__version__ = "0.1.0.dev0"
