"""Vectors: the rows of ``tests/vectors``, decoded."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "vectors"


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of one file, as text."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def cell(text: str) -> Any:
    """Return what a JSON cell holds; ``{"rep": [[text, count], …]}`` is a long text."""
    return json.loads(text, object_hook=_long)


def _long(found: dict[str, Any]) -> Any:
    return "".join(piece * count for piece, count in found["rep"]) if set(found) == {"rep"} else found
