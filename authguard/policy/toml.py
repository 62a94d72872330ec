"""TOML: ``authguard.toml`` read on top of what is shipped; anything odd stops the start with one sentence."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from authguard.errors import ConfigurationError
from authguard.policy.check import check_policies
from authguard.policy.finding import Severity
from authguard.policy.model import Policy
from authguard.policy.settings import Settings, merge_settings

_LONGEST_REASON = 200


def load_settings(path: str | Path | None = None) -> Settings:
    """Return the shipped settings with the file at ``path`` merged in: policies layer by layer.

    Raises ``ConfigurationError`` with one sentence naming file, table and key: unreadable file, broken TOML,
    unknown key, bad duration, impossible limit, or an error that :func:`check_policies` finds.
    """
    if path is None:
        return Settings()
    return _refuse_errors(merge_settings(parse_file(path), str(path)), str(path))


def load_policies(path: str | Path | None = None) -> dict[str, Policy]:
    """Return the policies of :func:`load_settings`."""
    return dict(load_settings(path).policies)


def read_policies(text: str, file: str = "authguard.toml") -> dict[str, Policy]:
    """Return the policies that the TOML ``text`` makes; ``file`` is what complaints call it."""
    return merge_policies(parse_text(text, file), file)


def merge_policies(document: Mapping[str, Any], file: str) -> dict[str, Policy]:
    """Return the policies that a parsed ``document`` makes."""
    return dict(_refuse_errors(merge_settings(document, file), file).policies)


def parse_file(path: str | Path) -> dict[str, Any]:
    """Return the document in the file at ``path``; raises ``ConfigurationError`` where there is none to read."""
    try:
        # Some editors put a byte order mark in front of UTF-8.
        text = Path(path).read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: the file is not UTF-8 text; save it as UTF-8") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise ConfigurationError(f"{path}: the file can't be read: {reason or type(error).__name__}") from None
    return parse_text(text, str(path))


def parse_text(text: str, file: str) -> dict[str, Any]:
    """Return the document in ``text``; raises ``ConfigurationError`` for broken TOML."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError as error:  # TOMLDecodeError, and what a number of thousands of digits raises
        reason = str(error)
    raise ConfigurationError(f"{file}: not valid TOML: {reason[:_LONGEST_REASON]}")


def _refuse_errors(settings: Settings, file: str) -> Settings:
    for finding in check_policies(settings.policies):
        if finding.severity is Severity.ERROR:
            raise ConfigurationError(f"{file}: {finding}")
    return settings
