"""Subject: who is asking, read out of the request at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Request, g

from authguard.errors import IdentityError
from authguard.events import Misconfigured, Observer
from authguard.flask.fields import is_doubled
from authguard.identity import (
    EmailRules,
    IdentifierKind,
    ProxyTrust,
    Resolver,
    TrustWatch,
    address_keys,
    client_address,
    domain_key,
    forwarding_headers,
    identifier_key,
    original_peer,
)
from authguard.policy import Policy, Scope, Subject

_CACHE = "_authguard_addresses"


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

    def read(self, policy: Policy, request: Request, identifier: str | None, **more: Any) -> Subject:
        """Return the subject of ``request``. ``identifier`` is what was typed, ``None`` where the action takes none.

        Raises ``IdentityError`` for an identifier that is blank, doubled or can't be read, and where an address is
        needed and there is none.
        """
        values: dict[Scope, str] = {**self.addresses(request)}
        account = ""
        if identifier is not None:
            if is_doubled(identifier, request):
                raise IdentityError("doubled")
            found = identifier_key(identifier, policy.kinds, policy.default_region, self._email_rules)
            values[Scope.ID] = f"{found.kind}:{found.key}"
            values[Scope.AUTHENTICATOR] = self._authenticator(identifier) or values[Scope.ID]
            account = identifier.strip()
            if found.kind is IdentifierKind.EMAIL and policy.needs(Scope.DOMAIN):
                # Where strangers share the domain, the mailbox is all that its owner could make up.
                values[Scope.DOMAIN] = domain_key(found.key, self._email_rules) or found.key
        return Subject(values, values.get(Scope.IP, ""), account, **more)

    def addresses(self, request: Request) -> Mapping[Scope, str]:
        """Return the counting keys of the client's address, found once a request."""
        if _CACHE not in g:
            setattr(g, _CACHE, self._find(request))
        found: Mapping[Scope, str] = getattr(g, _CACHE)
        return found

    def _find(self, request: Request) -> Mapping[Scope, str]:
        headers = forwarding_headers(request.environ, self._trust)
        client = client_address(original_peer(request.environ), headers, self._trust)
        misfit = self._watch.look(client, headers)
        if misfit is not None:
            self._observer.observe(Misconfigured(misfit, misfit.advice, self._watch.is_news(misfit)))
        if client.ip is None:
            return {}
        keys = address_keys(client.ip)
        return {Scope.IP: keys.ip, Scope.SUBNET: keys.subnet, Scope.SITE: keys.site}

    def _authenticator(self, identifier: str) -> str | None:
        """Return the account's own id, looked up once a request for each identifier."""
        if self._resolver is None:
            return None
        known: dict[str, str | None] = g.setdefault("_authguard_accounts", {})
        if identifier not in known:
            known[identifier] = self._resolver(identifier)
        found = known[identifier]
        return None if found is None else f"account:{found}"
