"""Subject: who is asking, read out of the request at hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from flask import Request, g

from authguard.errors import ConfigurationError, IdentityError
from authguard.events import Misconfigured, Observer
from authguard.flask.fields import is_doubled
from authguard.identity import (
    EmailClass,
    EmailRules,
    Identifier,
    IdentifierKind,
    ProxyTrust,
    Resolver,
    TrustWatch,
    check_suffix_list,
    client_address,
    domain_key,
    email_class,
    forwarding_headers,
    forwarding_lines,
    identifier_key,
    locate_client,
    network_keys,
    original_peer,
)
from authguard.policy import Policy, Scope, Subject

_CACHE = "_authguard_addresses"
# To look a scope up in its class takes longer than to look its value up.
_ID, _AUTHENTICATOR, _DOMAIN = Scope.ID, Scope.AUTHENTICATOR, Scope.DOMAIN
_IP, _SUBNET, _SITE = Scope.IP, Scope.SUBNET, Scope.SITE


class SubjectReader:
    """Reads subjects under one trust in proxies; ``resolver`` finds the account behind an identifier."""

    def __init__(
        self, trust: ProxyTrust, email_rules: EmailRules, observer: Observer, resolver: Resolver | None
    ) -> None:
        self._trust = trust
        self._email_rules = email_rules
        self._resolver = resolver
        self._observer = observer
        self._watch = TrustWatch(trust)

    def read(self, policy: Policy, request: Request, identifier: str | None) -> Subject:
        """Return the subject of ``request``. ``identifier`` is what was typed, ``None`` where the action takes none.

        Raises ``IdentityError`` for an identifier that is blank, doubled or can't be read, and where an address is
        needed and there is none.
        """
        values: dict[Scope, str] = {**self.addresses(request)}
        client = values.get(_IP, "")
        if identifier is None:
            return Subject.typed(values, client)
        if is_doubled(identifier, request):
            raise IdentityError("doubled")
        found = identifier_key(identifier, policy.kinds, policy.default_region, self._email_rules)
        account = identifier.strip()
        resolved = self._resolve(identifier)
        values[_ID] = own = f"{found.kind}:{found.key}"
        values[_AUTHENTICATOR] = resolved or own
        facts: tuple[str, ...] = ()
        if policy.needs(_DOMAIN):
            values[_DOMAIN], facts = self._domain(found)
        return Subject.typed(values, client, account, resolved or f"typed:{account}", facts)

    def authenticator(self, request: Request, kind: str, account: str) -> Subject:
        """Return the subject of a request that tries one authenticator, the ``kind``, of the account ``account``.

        Raises ``IdentityError`` for a blank account: its second factors would be everybody's.
        """
        if not check_account(account).strip():
            raise IdentityError("missing")
        values = {**self.addresses(request)}
        client = values.get(Scope.IP, "")
        values[Scope.ID] = values[Scope.AUTHENTICATOR] = f"factor:{kind}:{account}"
        return Subject(values, client, account, own_id=self.own_id(account))

    @property
    def resolves(self) -> bool:
        """True where accounts are named by their own ids, not by what was typed."""
        return self._resolver is not None

    def own_id(self, account: str) -> str:
        """Return what stands for ``account`` in its devices: the resolver's id or, without one, an identifier."""
        return f"account:{account}" if self._resolver is not None else f"typed:{account.strip()}"

    def _domain(self, found: Identifier) -> tuple[str, tuple[str, ...]]:
        """Return the key of who owns the mailbox's domain, and what is known of that.

        Where strangers share the domain, and for what is no mailbox, one owner could make up the identifier alone.
        """
        own = f"{found.kind}:{found.key}"
        if found.kind is not IdentifierKind.EMAIL:
            return own, ()
        kind = email_class(found.key, self._email_rules)
        facts = () if kind is EmailClass.NORMAL else (str(kind),)
        if _knows_suffixes():
            return domain_key(found.key, self._email_rules) or own, facts
        domain = found.key.rpartition("@")[2]
        return own if self._email_rules.is_shared(domain) else domain, facts

    def addresses(self, request: Request) -> Mapping[Scope, str]:
        """Return the counting keys of the client's address, found once a request."""
        kept = request.__dict__  # not Flask's `g`: each look at it is one through a stand-in
        found: Mapping[Scope, str] | None = kept.get(_CACHE)
        if found is not None:
            return found
        environ, trust = request.environ, self._trust
        value, status = locate_client(original_peer(environ), forwarding_lines(environ, trust), trust)
        if self._watch.cares(status):
            self._look(environ)
        if value is None:
            found = {}
        else:
            ip, subnet, site = network_keys(value)
            found = {_IP: ip, _SUBNET: subnet, _SITE: site}
        kept[_CACHE] = found
        return found

    def _look(self, environ: Mapping[str, Any]) -> None:
        """Tell whoever listens of a request that doesn't fit the trust in proxies."""
        headers = forwarding_headers(environ, self._trust)
        misfit = self._watch.look(client_address(original_peer(environ), headers, self._trust), headers)
        if misfit is not None:
            self._observer.observe(Misconfigured(misfit, misfit.advice, self._watch.is_news(misfit)))

    def _resolve(self, identifier: str) -> str | None:
        """Return the account's own id, looked up once a request for each identifier."""
        if self._resolver is None:
            return None
        known: dict[str, str | None] = g.setdefault("_authguard_accounts", {})
        if identifier not in known:
            known[identifier] = self._resolver(identifier)
        found = known[identifier]
        return None if found is None else f"account:{found}"


def check_account(account: str) -> str:
    """Return the id of an account; raises ``TypeError`` for a number, which is never equal to the text in a token."""
    if not isinstance(account, str):
        raise TypeError("an account's id must be text; write str(user.id)")
    return account


@cache
def _knows_suffixes() -> bool:
    """Return whether the package is there that tells who registered a domain; without it each sub-domain counts."""
    try:
        check_suffix_list()
    except ConfigurationError:
        return False
    return True
