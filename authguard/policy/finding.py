"""Finding: one doubt about one policy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
