"""The README's table of attacks is the catalogue's."""

from __future__ import annotations

import re

from attacks.catalog import ATTACKS
from attacks.report import markdown
from tests.repository.tree import ROOT

README = (ROOT / "README.md").read_text()


def test_the_table_is_what_the_command_prints() -> None:
    found = re.search(
        r"<!-- attacks: python -m attacks --markdown -->\n(.*?)<!-- end of attacks -->", README, re.DOTALL
    )
    assert found
    assert found[1] == markdown(ATTACKS)


def test_the_rows_that_need_redis_are_named() -> None:
    told = re.search(r"The rows ([FT0-9,\sand]+?) attack a Redis", README)
    assert told
    assert re.findall(r"[FT]\d", told[1]) == [attack.name for attack in ATTACKS if attack.setup.redis is not None]
