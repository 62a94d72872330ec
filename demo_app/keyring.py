"""Keyring: the secret that all workers of the demo share, and those before it."""

from __future__ import annotations

import secrets
from pathlib import Path

KEPT = 1
"""Secrets before the current one that are still read; older ones are retired."""
_BYTES = 32


def read_secrets(folder: Path) -> list[bytes]:
    """Return the secrets in ``folder``, the current one first, made when there is none; they outlive a restart."""
    current = _current(folder)
    if not current.exists():
        _write(current, secrets.token_bytes(_BYTES))
    earlier = _earlier(folder)
    kept = earlier.read_bytes() if earlier.exists() else b""
    return [current.read_bytes(), *(kept[begin : begin + _BYTES] for begin in range(0, len(kept), _BYTES))]


def rotate_secret(folder: Path) -> None:
    """Put a new secret in front of those in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(_earlier(folder), b"".join(read_secrets(folder)))
    _write(_current(folder), secrets.token_bytes(_BYTES))


def _current(folder: Path) -> Path:
    return folder / "secret_key"


def _earlier(folder: Path) -> Path:
    return folder / "earlier_secret_keys"


def _write(path: Path, content: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(content)
