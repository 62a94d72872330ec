"""Lacking: scopes of a policy that no request could have filled, so that every one would be answered 400."""

from __future__ import annotations

from authguard.errors import ConfigurationError
from authguard.policy import Policy, Scope

MISSING = "missing"
"""The code of a request that lacks what its policy counts."""
_NEVER = (Scope.USER, Scope.API_KEY, Scope.TENANT)
"""What only code of one's own over ``authguard.guard`` can fill: the extension is told no more than ``id``."""
_NAMED = (Scope.ID, Scope.AUTHENTICATOR)


def refuse_what_no_request_has(policy: Policy, identifier: str | None) -> None:
    """Raise ``ConfigurationError`` where it is the application that left out what ``policy`` counts, not the client."""
    for scope in _NEVER:
        if policy.needs(scope):
            raise ConfigurationError(
                f"policy {policy.name!r} counts {scope.value!r}, which no request is known by; count 'id' instead, and "
                "give it as id="
            )
    if identifier is None and any(policy.needs(scope) for scope in _NAMED):
        raise ConfigurationError(f"policy {policy.name!r} counts identifiers; say whose request it is with id=")
