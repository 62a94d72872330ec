"""Start: what is found out about a store before the first request, and whether that stops the start."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol, runtime_checkable

from authguard.errors import ConfigurationError
from authguard.policy.finding import Severity
from authguard.stores.base import Store

UNREACHABLE = "AG401"
"""The code of a server that makes no decision at the moment; every other finding is about how it is set up."""


class StoreFinding(Protocol):
    """One doubt about a store. ``code`` is stable; ``message`` is a sentence that says what to change."""

    @property
    def code(self) -> str: ...
    @property
    def severity(self) -> Severity: ...
    @property
    def message(self) -> str: ...


@runtime_checkable
class Checked(Protocol):
    """A store that can be doubted: one whose server somebody else sets up."""

    def check(self) -> Sequence[StoreFinding]:
        """Return what speaks against the store; nothing when all is well."""
        ...


class StartCheck(StrEnum):
    """What an error among the findings does.

    ``REFUSE`` stops the start, except where the server can't be reached: then workers that happen to start during an
    outage serve by the policies' fail modes, as those do that are there already. ``STRICT`` stops the start then too.
    ``WARN`` only tells.
    """

    REFUSE = "refuse"
    STRICT = "strict"
    WARN = "warn"


def check_store(store: Store, how: StartCheck) -> Sequence[StoreFinding]:
    """Return the findings about ``store`` that do not stop the start.

    Raises ``ConfigurationError`` with the sentence of the first that does.
    """
    findings = store.check() if isinstance(store, Checked) else ()
    for finding in findings:
        if _stops(finding, how):
            raise ConfigurationError(f"{finding.code}: {finding.message}")
    return findings


def _stops(finding: StoreFinding, how: StartCheck) -> bool:
    if finding.severity is not Severity.ERROR or how is StartCheck.WARN:
        return False
    return finding.code != UNREACHABLE or how is StartCheck.STRICT
