"""What the project's files may not say: paths and hosts of a particular machine."""

from __future__ import annotations

import re

import pytest

from tests.repository.tree import texts

# Written so that this file does not match itself.
FORBIDDEN = {
    "a path of one machine": r"(?<![\w.~}$-])/(?:home|root|Users|work|tmp|farm)/",
    "a package registry's host": r"pypi\.org|pythonhosted\.|npmjs\.|deb\.debian\.|security\.debian\.",
    "an unfinished mark": r"\b(?:TO[D]O|FIX[M]E|XX[X])\b",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_says(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what])
    found = [
        f"{name}:{number} {match[0]}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), start=1)
        if (match := pattern.search(line))
    ]
    assert found == []
