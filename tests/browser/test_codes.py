"""A person with a browser and no password: logs in by code, and chooses a new password by the link in a message."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

ADDRESS = "E-mail address or phone number of your account"
NEW = "a password newly chosen"


def read_outbox(page: Page, contact: str) -> str:
    """Wait for a message to ``contact`` and return its text; it leaves in the background."""
    message = page.get_by_role("article").filter(has_text=contact).first
    for _ in range(50):
        page.goto("/outbox")
        if message.count():
            return message.inner_text()
    raise AssertionError("no message came")


# Each way of browsing has a mailbox of its own: the second message to one within a minute is not sent.
@pytest.fixture
def people(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Return who logs in by code, and who has forgotten the password."""
    return ("alice", "bob") if "javascript" in request.node.callspec.id else ("mallory", "дмитрий")


CONTACTS = {
    "alice": "alice@example.com",
    "bob": "bob@example.com",
    "mallory": "mallory@example.com",
    "дмитрий": "dmitri@example.com",
}


def test_a_code_logs_its_reader_in(page: Page, people: tuple[str, str]) -> None:
    contact = CONTACTS[people[0]]
    page.goto("/code-login")
    page.get_by_label(ADDRESS).fill(contact)
    page.get_by_role("button", name="Send the code").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Enter your code")
    field = page.get_by_label("Code of six digits")
    expect(field).to_have_attribute("autocomplete", "one-time-code")
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"ask for another one in \d+ seconds"))

    code = re.search(r"\b[0-9]{6}\b", read_outbox(page, contact))
    assert code
    page.goto("/code-login/enter")
    field.fill(code[0])
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Hello, {people[0]}")


def test_the_link_in_a_message_lets_its_reader_choose_a_new_password(page: Page, people: tuple[str, str]) -> None:
    name, contact = people[1], CONTACTS[people[1]]
    page.goto("/forgot")
    page.get_by_label(ADDRESS).fill(contact)
    page.get_by_role("button", name="Send the code").click()
    link = re.search(r"https?://\S+/continue/\S+", read_outbox(page, contact))
    assert link
    page.goto(link[0])
    page.goto(link[0])  # looking uses nothing up
    page.get_by_role("button", name="Continue here").click()
    page.get_by_label("New password").fill(NEW)
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Hello, {name}")

    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    page.goto("/login")
    page.get_by_label("User name, e-mail address or phone number").fill(name)
    page.get_by_label("Password").fill(NEW)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Hello, {name}")
    page.goto(link[0])
    page.get_by_role("button", name="Continue here").click()
    expect(page.get_by_role("alert")).to_have_text("That link was used already, or is too old.")
