"""Elsewhere: a code that was asked for on one machine of a site, entered on another."""

from __future__ import annotations

from attacks.browser import Asked, Browser, ask_and_read
from attacks.people import Person
from attacks.target import Target


def ask(target: Target, person: Person) -> tuple[Browser, Asked]:
    """Ask for a code and read it; return it with the browser that it is for."""
    browser = Browser(target.client(person.address))
    return browser, ask_and_read(browser, target, person.contact, person.contact)


def enter(target: Target, person: Person, browser: Browser, asked: Asked) -> bool:
    """Return whether ``target`` takes the code, in that browser."""
    elsewhere = Browser(target.client(person.address), browser.cookies)
    return elsewhere.enter(person.contact, asked.token, asked.code).right
