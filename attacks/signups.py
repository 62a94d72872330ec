"""Sign-ups: asking for an account, and confirming it with the message that came to the address."""

from __future__ import annotations

from attacks.browser import Browser, Mailbox, read_code, read_link
from attacks.client import Answer
from attacks.target import Target

PASSWORD = "the newcomer has chosen this"


def ask(browser: Browser, name: str, contact: str) -> Answer:
    """Ask for an account."""
    return browser.post("/signup", {"name": name, "contact": contact, "password": PASSWORD})


def confirm(browser: Browser, asked: Answer, text: str) -> Answer:
    """Confirm what was asked for with the code in ``text``, the message that it brought."""
    fields = {"signup": asked.document["signup"], "token": asked.document["token"], "code": read_code(text)}
    return browser.post("/confirm", fields)


def finish(browser: Browser, name: str, text: str) -> Answer:
    """Make an account by the link in ``text``, a message that whoever asked has brought about."""
    followed = browser.post(read_link(text), {})
    return browser.post("/signup/finish", {"name": name, "password": PASSWORD}) if followed.right else followed


def sign_up(browser: Browser, target: Target, name: str, contact: str) -> Answer:
    """Ask and confirm; raises ``Broken`` where no message comes."""
    mailbox = Mailbox(target, contact)
    before = len(mailbox.texts())
    asked = ask(browser, name, contact)
    return confirm(browser, asked, mailbox.next_text(before)) if asked.right else asked
