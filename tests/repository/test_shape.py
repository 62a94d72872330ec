"""The shape of the code: short files, short functions, and names that say what a file holds."""

from __future__ import annotations

import ast
import statistics
from pathlib import Path

from tests.repository.tree import CODE, ROOT, own_files

LONGEST_FILE = 250
LONGEST_MEDIAN = 100
LONGEST_FUNCTION = 40
EMPTY_NAMES = {"util", "utils", "helper", "helpers", "manager", "managers", "common", "misc"}


def lengths(suffixes: set[str]) -> dict[str, int]:
    """Return the number of lines of each source file with one of ``suffixes``."""
    return {
        path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines())
        for path in own_files(*CODE)
        if path.suffix in suffixes
    }


def functions(path: Path) -> dict[str, int]:
    """Return the number of lines of each function in ``path``, counted from its ``def``."""
    return {
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_files_are_short() -> None:
    measured = lengths({".py", ".lua"})
    assert measured
    assert {name: lines for name, lines in measured.items() if lines > LONGEST_FILE} == {}
    assert statistics.median(measured.values()) < LONGEST_MEDIAN


def test_functions_are_short() -> None:
    measured = {
        name: lines for path in own_files(*CODE) if path.suffix == ".py" for name, lines in functions(path).items()
    }
    assert measured
    assert {name: lines for name, lines in measured.items() if lines > LONGEST_FUNCTION} == {}


def test_names_say_what_a_file_holds() -> None:
    words = {
        path: set(path.relative_to(ROOT).with_suffix("").as_posix().replace("_", "/").split("/"))
        for path in own_files(*CODE)
    }
    assert words
    assert [path for path, parts in words.items() if parts & EMPTY_NAMES] == []


def test_every_module_says_what_it_is() -> None:
    undescribed = [
        path.relative_to(ROOT).as_posix()
        for path in own_files(*CODE)
        if path.suffix == ".py" and not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert undescribed == []
