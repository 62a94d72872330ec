"""The tree under test: where the project lies and which files are its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = ("authguard", "demo_app", "attacks")
FOLDERS = (*CODE, "tests", "benchmarks", "docs", ".ci")
DERIVED = {"__pycache__", "instance"}


def own_files(*folders: str) -> Iterator[Path]:
    """Yield the files below ``folders`` of the project, without what running it leaves behind."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and not DERIVED & set(path.parts):
                yield path


def texts() -> Iterator[tuple[str, str]]:
    """Yield the name, relative to the root, and the content of each text file of the project."""
    # In a second work tree ".git" is a file, which names the first.
    top = (path for path in sorted(ROOT.iterdir()) if path.is_file() and path.name != ".git")
    own = (path for path in top if not path.name.startswith(".coverage"))
    for path in (*own, *own_files(*FOLDERS)):
        content = path.read_bytes()
        if b"\0" not in content:
            yield path.relative_to(ROOT).as_posix(), content.decode()
