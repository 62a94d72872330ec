"""Finding: one doubt about one policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from authguard.policy.layer import Layer
from authguard.policy.model import Policy


class Severity(StrEnum):
    """``ERROR`` stops the start, ``WARNING`` is told."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One doubt about one policy. ``code`` is stable; ``message`` is a sentence that says what to change.

    ``layer`` is the layer it is about, where it is about one; its key in TOML is named by the message.
    """

    code: str
    severity: Severity
    policy: str
    message: str
    layer: str | None = None

    def __str__(self) -> str:
        place = f"policies.{self.policy}" + (f".layers.{self.layer}" if self.layer else "")
        return f"{self.code}: [{place}] {self.message}"


Check = Callable[[Policy], Iterator[Finding]]
"""What looks at one policy."""


def warn(code: str, policy: Policy, message: str, layer: Layer | None = None) -> Finding:
    """Return a warning about ``policy``, or one of its layers."""
    return Finding(code, Severity.WARNING, policy.name, message, layer.name if layer else None)


def refuse(code: str, policy: Policy, message: str, layer: Layer | None = None) -> Finding:
    """Return an error in ``policy``, or one of its layers."""
    return Finding(code, Severity.ERROR, policy.name, message, layer.name if layer else None)
