"""A person with a browser: signs up, logs out, mistypes the password too often, and is told when to come back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

PASSWORD = "a password of some length"


def log_in(page: Page, name: str, password: str) -> None:
    """Fill the login form and send it."""
    page.get_by_role("navigation").get_by_role("link", name="Log in").click()
    page.get_by_label("User name, e-mail address or phone number").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def test_a_person_signs_up_logs_out_and_is_told_when_to_come_back(page: Page, request: pytest.FixtureRequest) -> None:
    name = f"nora {request.node.callspec.id}"
    contact = f"{name.replace(' ', '.')}@example.com"
    page.get_by_role("navigation").get_by_role("link", name="Sign up").click()
    page.get_by_label("User name").fill(name)
    page.get_by_label("E-mail address or phone number").fill(contact)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Send the code").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Enter your code")

    page.get_by_role("main").get_by_role("link", name="outbox").click()
    message = page.get_by_role("article").filter(has_text=contact).inner_text()
    code = re.search(r"\b[0-9]{6}\b", message)
    assert code
    page.go_back()
    page.get_by_label("Code of six digits").fill(code[0])
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Hello, {name}")
    expect(page.get_by_role("main")).to_contain_text(contact)

    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    for number in range(5):
        log_in(page, name, f"not the password {number}")
        expect(page.get_by_role("alert")).to_have_text("That name and password don’t belong together.")
        expect(page.get_by_role("button", name="I am sure: look again")).to_be_visible()
    log_in(page, name, PASSWORD)
    expect(page.get_by_role("heading", level=1)).to_have_text("Please wait")
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"Come back in 1[5-7] minutes\."))


@pytest.mark.parametrize("width", [320, 375, 1280])
@pytest.mark.parametrize(
    "path", ["/", "/signup", "/confirm", "/login", "/code-login", "/forgot", "/outbox", "/nowhere"]
)
def test_no_page_is_wider_than_the_screen(browser: Browser, demo: str, width: int, path: str) -> None:
    context = browser.new_context(base_url=demo, viewport={"width": width, "height": 700})
    page = context.new_page()
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
