"""The papers that come with the code: promised dependencies, links that lead somewhere, targets explained."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import authguard
from authguard.errors import ConfigurationError
from authguard.flask.config import NAMES as SETTINGS
from authguard.policy.toml import read_policies
from tests.repository.tree import ROOT, texts

RUNTIME = {"argon2-cffi", "cryptography", "email-validator", "flask", "phonenumbers", "redis"}


def test_the_library_needs_these_packages_and_no_other() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {re.split(r"[<>=!~\[; ]", line)[0] for line in project["dependencies"]} == RUNTIME


def test_the_readme_names_each_extra_that_applications_have_a_use_for() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    told = set(re.findall(r"`(?:pip install )?'\.\[(\w+)\]'`", (ROOT / "README.md").read_text()))
    assert told == set(extras) - {"demo", "test", "bench", "lint"}


def test_the_changelog_knows_the_version() -> None:
    headings = re.findall(r"^## \[([^]]+)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert ".dev" in authguard.__version__ or authguard.__version__ == headings[1]


def test_links_between_pages_lead_somewhere() -> None:
    links = [
        (name, target)
        for name, text in texts()
        if name.endswith(".md")
        for target in re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", text)
    ]
    assert links
    assert [link for link in links if not ((ROOT / link[0]).parent / link[1]).exists()] == []


def test_links_to_headings_lead_somewhere() -> None:
    pages = {ROOT / name: text for name, text in texts() if name.endswith(".md")}
    headings = {page: set(map(_anchor, re.findall(r"^#+ (.*)$", text, re.MULTILINE))) for page, text in pages.items()}
    links = [
        (page, (page.parent / target).resolve() if target else page, heading)
        for page, text in pages.items()
        for target, heading in re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", text)
    ]
    assert links
    assert [
        (page.name, target.name, heading) for page, target, heading in links if heading not in headings[target]
    ] == []


def _anchor(heading: str) -> str:
    """Return the anchor that the platforms on which these pages are read make of ``heading``."""
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").strip().lower()).replace(" ", "-")


def test_the_readme_names_each_setting() -> None:
    told = re.findall(r"^\| `AUTHGUARD_(\w+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert sorted(told) == sorted(SETTINGS)


def test_the_policies_in_the_readme_load() -> None:
    blocks = re.findall(r"^```toml\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        read_policies(block)
        with pytest.raises(ConfigurationError):
            read_policies(block + "surprise = 1\n")


def test_every_target_is_explained() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = set(" ".join(re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)).split())
    printed = subprocess.run(["make", "help"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert phony == set(re.findall(r"^  make (\w+)", printed, re.MULTILINE))


def test_a_plain_user_is_told_what_is_missing(tmp_path: Path) -> None:
    for command in ("bash", "env", "id", "cat"):
        (tmp_path / command).symlink_to(Path("/usr/bin") / command)
    done = subprocess.run(
        [ROOT / ".ci/packages", "cat", "nginx", "chromium"],
        env={"PATH": str(tmp_path)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "lacks: nginx chromium\n" in done.stderr
    assert "sudo apt-get install nginx chromium\n" in done.stderr
