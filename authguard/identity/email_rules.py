"""E-mail rules: how an address's local part and domain are reduced to the mailbox they reach."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType

from authguard.errors import ConfigurationError

_DOMAIN = re.compile(r"(?=.{1,253}\Z)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+")
_PUNCTUATION = frozenset("!#$%&'*/=?^_`{|}~+-")
_DOTS = re.compile(r"\.{2,}")


@dataclass(frozen=True, slots=True)
class ProviderRule:
    """What one provider makes of the addresses at its domains.

    ``cut_at`` holds separators: the local part is cut at the first of each. ``drop`` holds characters that
    do not matter and ``swap`` is a character that counts as another. ``canonical`` is the one of
    ``domains`` they are all counted as; without it they stay distinct. With ``subdomain_names_mailbox``,
    ``anything@user.domain`` is ``user@domain``. ``source`` says where that is documented.

    Nothing of this ever leaves a local part empty. Raises :class:`ConfigurationError` for a rule whose
    result it would change again itself.
    """

    name: str
    domains: tuple[str, ...]
    source: str
    canonical: str | None = None
    cut_at: str = "+"
    drop: str = ""
    swap: tuple[str, str] | None = None
    subdomain_names_mailbox: bool = False

    def __post_init__(self) -> None:
        """Check the rule."""
        object.__setattr__(self, "domains", _domains(self.domains))
        if self.canonical is not None and self.canonical not in self.domains:
            raise ConfigurationError(f"the canonical domain of e-mail rule {self.name!r} must be one of its domains")
        check_separators(self.cut_at)
        if not set(self.drop) <= _PUNCTUATION | {"."}:
            raise ConfigurationError(f"e-mail rule {self.name!r} may drop punctuation only, such as '.'")
        if self.swap is not None:
            one, other = self.swap
            if (
                one not in _PUNCTUATION
                or other not in {".", "_", "-"}
                or one == other
                or other in self.cut_at + self.drop
            ):
                raise ConfigurationError(f"e-mail rule {self.name!r} may swap one punctuation mark for '.', '_' or '-'")

    def reduce(self, local: str) -> str:
        """Return the mailbox's own name for a local part in lower case."""
        local = cut(local, self.cut_at)
        if not self.drop and self.swap is None:
            return local
        reduced = local.translate({ord(character): None for character in self.drop})
        if self.swap is not None:
            reduced = reduced.replace(*self.swap)
        return tidy_dots(reduced) or local


@dataclass(frozen=True, slots=True, eq=False)
class EmailRules:
    """All rules in force: the providers', the separators for every other domain, and who shares a domain.

    ``free_mail`` are domains where strangers share a domain, beside the providers'; ``relays`` forward to
    a person's own mailbox; ``disposable`` are throw-away domains beside those of the optional data
    package. Compared by identity, so that it can key a cache.
    """

    providers: tuple[ProviderRule, ...] = ()
    cut_at: str = "+"
    free_mail: frozenset[str] = frozenset()
    relays: frozenset[str] = frozenset()
    disposable: frozenset[str] = frozenset()
    _by_domain: Mapping[str, ProviderRule] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the separators and index the providers; a later rule for a domain replaces an earlier one."""
        check_separators(self.cut_at)
        index = {domain: rule for rule in self.providers for domain in rule.domains}
        object.__setattr__(self, "_by_domain", MappingProxyType(index))

    @classmethod
    def default(cls) -> EmailRules:
        """Return the shipped rules, one object for the whole process."""
        return _default_rules()

    def extended(
        self,
        providers: Iterable[ProviderRule] = (),
        *,
        free_mail: Iterable[str] = (),
        relays: Iterable[str] = (),
        disposable: Iterable[str] = (),
        cut_at: str | None = None,
    ) -> EmailRules:
        """Return these rules and more; a new rule for a domain replaces the old one.

        Domains are lower-case ASCII (``xn--…`` for international ones), else :class:`ConfigurationError`.
        """
        return replace(
            self,
            providers=(*self.providers, *providers),
            free_mail=self.free_mail | set(_domains(free_mail)),
            relays=self.relays | set(_domains(relays)),
            disposable=self.disposable | set(_domains(disposable)),
            cut_at=self.cut_at if cut_at is None else cut_at,
        )

    def reduce(self, local: str, domain: str) -> tuple[str, str]:
        """Return the mailbox that a local part in lower case and an ASCII domain reach."""
        rule = self._by_domain.get(domain)
        if rule is None:
            label, _, parent = domain.partition(".")
            host = self._by_domain.get(parent)
            if host is None or not host.subdomain_names_mailbox:
                return cut(local, self.cut_at), domain
            local, domain, rule = label, parent, host
        return rule.reduce(local), rule.canonical or domain

    def is_shared(self, domain: str) -> bool:
        """Say whether strangers share ``domain``, so that counting by domain would count them together."""
        return domain in self._by_domain or domain in self.free_mail or domain in self.relays


def cut(local: str, separators: str) -> str:
    """Return ``local`` up to the first of each separator, without the dots that this leaves at its end."""
    for separator in separators:
        local = local.split(separator, 1)[0] or local
    return local.rstrip(".") or local


def tidy_dots(local: str) -> str:
    """Return ``local`` with no dot at either end and none beside another (RFC 5322 section 3.2.3)."""
    return _DOTS.sub(".", local).strip(".")


def check_separators(cut_at: str) -> None:
    """Raise :class:`ConfigurationError` unless every character of ``cut_at`` is punctuation allowed in an address."""
    if not set(cut_at) <= _PUNCTUATION:
        raise ConfigurationError("an e-mail separator must be punctuation other than a dot, such as '+'")


def _domains(domains: Iterable[str]) -> tuple[str, ...]:
    if isinstance(domains, str):
        raise ConfigurationError("e-mail domains must be a list, as in ['example.com']")
    found = tuple(domains)
    for domain in found:
        if not _DOMAIN.fullmatch(str(domain)):
            raise ConfigurationError(
                f"{domain!r} is no mail domain in lower-case ASCII; write 'example.com' or 'xn--…'"
            )
    return found


@cache
def _default_rules() -> EmailRules:
    from authguard.identity.mail_providers import FREE_MAIL, PROVIDERS, RELAYS

    return EmailRules(PROVIDERS, free_mail=FREE_MAIL, relays=RELAYS)
