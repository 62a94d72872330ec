"""A person with a browser and no password: logs in by code, and chooses a new password by the link in a message."""

from __future__ import annotations

import re

import httpx
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


def test_the_outbox_shows_messages_as_they_arrive(page: Page, demo: str, people: tuple[str, str]) -> None:
    contact = f"watched-by-{people[0]}@example.com"
    page.goto("/outbox")
    fields = {"name": "somebody", "contact": contact, "password": NEW}
    httpx.post(f"{demo}signup", json=fields).raise_for_status()
    message = page.get_by_role("article").filter(has_text=contact)
    expect(message).to_have_count(1, timeout=15_000)
    expect(message.get_by_role("link")).to_have_attribute("href", re.compile(r"^http://127\.0\.0\.1:\d+/continue/\S+$"))


def test_the_page_counts_down_to_the_next_message(page: Page, request: pytest.FixtureRequest) -> None:
    # 60 seconds, then the wait that is left: by the second where scripts run, and when it is loaded again.
    contact = f"count-{request.node.callspec.id}@example.com"
    page.goto("/code-login")
    page.get_by_label(ADDRESS).fill(contact)
    page.get_by_role("button", name="Send the code").click()
    main = page.get_by_role("main")
    expect(main).to_contain_text(re.compile(r"ask for another one in (60|5\d) seconds"))
    later = re.compile(r"ask for another one in 5[0-8] seconds")
    if "plain" in request.node.callspec.id:
        for _ in range(500):
            if later.search(main.inner_text()):
                break
            page.reload()
    expect(main).to_contain_text(later, timeout=15_000)
