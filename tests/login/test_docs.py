"""The examples of the passwords page run, in the order they stand."""

from __future__ import annotations

import re

from tests.repository.tree import ROOT


def test_the_examples_run() -> None:
    page = ROOT / "docs" / "passwords.md"
    examples = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert len(examples) == 4
    names: dict[str, object] = {}
    for example in examples:
        exec(compile(example, str(page), "exec"), names)  # noqa: S102 - our own page
    assert {"passwords", "result", "breached"} <= names.keys()
