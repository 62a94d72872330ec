"""A demo under guard, and a browser that opens it, with JavaScript and without."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from attacks.target import Setup, serve

ARGUMENTS = ("--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run")


@pytest.fixture(scope="module")
def demo() -> Iterator[str]:
    """Serve a guarded demo and return its URL."""
    with serve(Setup(), None, None) as target:
        yield target.url


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium."""
    path = shutil.which("chromium")
    assert path, "these tests need chromium; `make test` says how to get it"
    # Chromium's sandbox does not work as root.
    arguments = [*ARGUMENTS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=arguments)
        yield opened
        opened.close()


@pytest.fixture(params=[True, False], ids=["javascript", "plain"])
def page(request: pytest.FixtureRequest, browser: Browser, demo: str) -> Iterator[Page]:
    """Open the demo in a fresh browser context, with JavaScript and without."""
    context = browser.new_context(base_url=demo, java_script_enabled=request.param)
    opened = context.new_page()
    opened.goto("/")
    yield opened
    context.close()
