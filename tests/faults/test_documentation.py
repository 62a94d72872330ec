"""The page on stores: each promise names a test that there is."""

from __future__ import annotations

import re

import pytest

from authguard.flask.config import WORKERS
from authguard.stores.breaker import FAULTS, REST
from authguard.stores.start import StartCheck
from tests.repository.tree import ROOT

PAGE = (ROOT / "docs/stores.md").read_text()
PROOFS = re.findall(r"\[`(test_\w+)`\]\(([^)]+)\)", PAGE)


def test_every_promise_has_a_proof() -> None:
    tables = re.findall(r"^\|.*promise \| proof \|\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert len(tables) == 4
    assert [row for table in tables for row in table.splitlines() if "[`test_" not in row.split("|")[-2]] == []


@pytest.mark.parametrize(("name", "path"), PROOFS)
def test_a_proof_is_where_the_page_says(name: str, path: str) -> None:
    assert f"def {name}(" in (ROOT / "docs" / path).read_text()


def test_numbers_and_words_are_those_of_the_code() -> None:
    assert (FAULTS, REST, WORKERS) == (3, 1.0, 4)
    assert "After three faults in a row" in PAGE
    assert "once a second one request" in PAGE
    assert "`WEB_CONCURRENCY` says, or 4" in PAGE
    assert [word for word in StartCheck if f"| `{word}`" not in PAGE] == []
