"""Mail domains: the coarser key of who owns one, and what kind of mailbox it hands out."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from authguard.errors import ConfigurationError
from authguard.identity.email import email_key
from authguard.identity.email_rules import EmailRules

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList


class EmailClass(StrEnum):
    """What kind of mailbox an address names: a fact for a risk score, never a reason to refuse by itself."""

    NORMAL = "normal"
    RELAY = "relay"
    """Forwards to a mailbox its owner keeps private; the people who use one are people."""
    DISPOSABLE = "disposable"
    """Handed out for a single use, to anybody."""


def domain_key(text: str, rules: EmailRules | None = None) -> str | None:
    """Return the registrable domain of an e-mail address, or ``None`` where strangers share the domain.

    It counts the mailboxes that one owner of a domain can make up without end (a catch-all). Who can
    register a name is what the Public Suffix List says, from the ``publicsuffixlist`` package's own
    copy. Raises what :func:`~authguard.identity.email.email_key` raises, and
    :class:`ConfigurationError` where that package is missing.
    """
    rules = rules or EmailRules.default()
    domain = email_key(text, rules).rpartition("@")[2]
    if rules.is_shared(domain):
        return None
    owned: str = _public_suffixes().privatesuffix(domain) or domain
    return None if rules.is_shared(owned) else owned


def email_class(text: str, rules: EmailRules | None = None) -> EmailClass:
    """Return whether an address is a relay's, a throw-away one, or normal.

    Throw-away domains come from ``rules`` and, where it is installed, from the optional package
    ``disposable-email-domains``; a sub-domain counts as its domain. Raises what
    :func:`~authguard.identity.email.email_key` raises.
    """
    rules = rules or EmailRules.default()
    domain = email_key(text, rules).rpartition("@")[2]
    while "." in domain:
        if domain in rules.relays:
            return EmailClass.RELAY
        if domain in rules.disposable or domain in _published_disposable():
            return EmailClass.DISPOSABLE
        domain = domain.partition(".")[2]
    return EmailClass.NORMAL


def check_suffix_list() -> None:
    """Raise :class:`ConfigurationError` unless :func:`domain_key` can work; call it at start."""
    _public_suffixes()


@cache
def _public_suffixes() -> PublicSuffixList:
    try:
        from publicsuffixlist import PublicSuffixList
    except ImportError as problem:
        raise ConfigurationError("counting by mail domain needs the package publicsuffixlist; install it") from problem
    return PublicSuffixList()


@cache
def _published_disposable() -> frozenset[str]:
    try:
        from disposable_email_domains import blocklist
    except ImportError:
        return frozenset()
    return frozenset(blocklist)
