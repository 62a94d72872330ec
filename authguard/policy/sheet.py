"""Sheet: what one request fills into the blueprints of its policy."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace

from authguard.errors import IdentityError
from authguard.identity import TagFamily, frame_part
from authguard.limits import Counter
from authguard.limits.plan import NO_TAG, TAG_SIZE
from authguard.policy.blueprint import Blueprint
from authguard.policy.model import Scope

_TENANT = Scope.TENANT


class Sheet:
    """The values of one request; each is framed, and each member hashed, once, however many counters it goes into."""

    __slots__ = ("_family", "_framed", "_members", "_tenant", "values")

    def __init__(self, values: Mapping[Scope, str], tenant: str | None, members: TagFamily) -> None:
        self.values: dict[Scope, str | None] = {**values, _TENANT: tenant}
        self._tenant = tenant
        self._family = members
        self._members: dict[Scope, bytes] = {}
        self._framed: dict[tuple[Scope, ...], bytes] = {}

    def counter(self, blueprint: Blueprint, cost: int, fallback: Blueprint | None) -> Counter:
        """Return the counter that ``blueprint`` draws, or ``fallback``'s where the subject lacks what it counts."""
        counter = blueprint.counter
        if blueprint.complete:
            return counter if cost == counter.cost else replace(counter, cost=cost)
        try:
            member = NO_TAG if blueprint.layer.distinct is None else self._member(blueprint.layer.distinct)
            keys = blueprint.only or self._keys(blueprint)
        except IdentityError:
            if fallback is None:
                raise
            return fallback.counter
        if blueprint.on_secrets:
            # It says nothing: neither whose the secret was, nor that two failures were one person's.
            member = secrets.token_bytes(TAG_SIZE - 1) + b"\x01"
        return counter.under(keys[0], cost, counter.mode, member, keys[1:])

    def _keys(self, blueprint: Blueprint) -> tuple[bytes, ...]:
        scopes = blueprint.layer.scopes
        if self._tenant is not None and not blueprint.tenantless:
            return blueprint.keys.tags([self._value(scope) for scope in scopes], self._tenant)
        framed = self._framed.get(scopes)
        if framed is None:
            framed = b""
            for scope in scopes:
                framed += frame_part(self._value(scope))
            self._framed[scopes] = framed
        return blueprint.keys.tags_of(framed)

    def _member(self, scope: Scope) -> bytes:
        member = self._members.get(scope)
        if member is None:
            found = self._family.tag((self._value(scope),), self._tenant)
            # All zeros means "no member".
            member = self._members[scope] = b"\x01" * TAG_SIZE if found == NO_TAG else found
        return member

    def _value(self, scope: Scope) -> str:
        """Return the value of ``scope``; raises ``IdentityError("missing")`` for one that the subject lacks."""
        found = self.values.get(scope)
        if not found or found.isspace():
            raise IdentityError("missing")
        return found
