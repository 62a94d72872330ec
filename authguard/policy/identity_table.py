"""Identity table: how the identifiers of this application's users are read, out of ``[identity]``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from authguard.errors import ConfigurationError
from authguard.identity import EmailRules, ProviderRule
from authguard.policy.policy_table import read_region
from authguard.policy.table import Table

_EMAIL_KEYS = "cut_at, free_mail, relays, disposable, providers"
_SOURCE = "the configuration"
_PROVIDER_KEYS = "domains, canonical, cut_at, drop, swap, subdomain_names_mailbox"


@dataclass(frozen=True, slots=True)
class IdentitySettings:
    """How identifiers are read: the region of national phone numbers, and what providers make of addresses."""

    default_region: str | None = None
    email_rules: EmailRules = field(default_factory=EmailRules.default)


def read_identity_table(top: Table) -> IdentitySettings:
    """Take ``identity`` out of the whole document; what it says of e-mail extends the shipped rules."""
    table = top.table("identity")
    region = read_region(table, None)
    rules = _read_email(table.table("email")) if table.has("email") else EmailRules.default()
    table.finish("default_region, email")
    return IdentitySettings(region, rules)


def _read_email(table: Table) -> EmailRules:
    providers = tuple(_read_providers(table))
    cut_at = table.take("cut_at", str, None, "'+'")
    free_mail, relays, disposable = (table.take_texts(key) for key in ("free_mail", "relays", "disposable"))
    table.finish(_EMAIL_KEYS)
    try:
        return EmailRules.default().extended(
            providers,
            free_mail=free_mail,
            relays=relays,
            disposable=disposable,
            cut_at=cut_at,
        )
    except ConfigurationError as error:
        raise table.complaint(None, f"can't work: {error}") from None


def _read_providers(table: Table) -> Iterator[ProviderRule]:
    for name, inner in table.tables("providers"):
        domains = inner.take_texts("domains")
        if not domains:
            raise inner.complaint("domains", "is missing; list the mail domains that this rule is for")
        canonical = inner.take("canonical", str, None, "'example.com'")
        cut_at = inner.take("cut_at", str, "+", "'+'")
        drop = inner.take("drop", str, "", "'.'")
        swap = _read_swap(inner)
        subdomains = inner.take("subdomain_names_mailbox", bool, default=False)
        inner.finish(_PROVIDER_KEYS)
        try:
            yield ProviderRule(name, domains, _SOURCE, canonical, cut_at, drop, swap, subdomains)
        except ConfigurationError as error:
            raise inner.complaint(None, f"can't work: {error}") from None


def _read_swap(table: Table) -> tuple[str, str] | None:
    if not table.has("swap"):
        return None
    pair = table.take_texts("swap")
    if len(pair) != 2 or any(len(character) != 1 for character in pair):
        raise table.complaint("swap", "must be two characters, such as ['-', '.']")
    return pair[0], pair[1]
