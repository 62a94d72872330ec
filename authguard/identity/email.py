"""E-mail: one counting key for every spelling that reaches one mailbox."""

from __future__ import annotations

import re
from functools import lru_cache

from authguard.errors import IdentityError
from authguard.identity.email_rules import EmailRules
from authguard.identity.folding import fold

LONGEST_EMAIL = 320
"""Characters accepted, counted before any parser sees them (64 + 1 + 255, RFC 5321 section 4.5.3.1)."""

_LONGEST_ADDRESS = 254
_ROOT_DOTS = ".\u3002\uff0e\uff61"
_MOST_PASSES = 4
_CACHED = 2048
_PLAIN = re.compile(r"([A-Za-z0-9]+(?:[._+-][A-Za-z0-9]+)*)@([A-Za-z0-9.-]{1,180})")
"""What most addresses look like: a dot-atom (RFC 5322 section 3.2.3), which any domain takes, and an ASCII domain."""
_LONGEST_LOCAL = 64


def email_key(text: str, rules: EmailRules | None = None) -> str:
    """Return the counting key of an e-mail address: never deliver to it, never look an account up by it.

    The key is ``local@domain``: the domain by IDNA 2008 in ASCII, the local part folded (case,
    compatibility forms, invisible code points) and reduced by the provider's rule in ``rules``, the
    shipped ones by default. It is at most 320 characters, and its own key. Confusable letters and
    mistyped domains are left alone: other mailboxes own them.

    Raises :class:`IdentityError`: ``not_text``, ``too_long``, ``empty``, ``quoted_local`` (a local part that
    needs its quotes), ``unstable``, and ``invalid`` for everything else that is no address.

    Of what is no plain address the last 2,048 answers are remembered, in this process's memory only.
    """
    if not isinstance(text, str):
        raise IdentityError("not_text")
    if len(text) > LONGEST_EMAIL:
        raise IdentityError("too_long")
    rules = rules or EmailRules.default()
    plain = _split_plain(text)
    if plain is None:
        return _key(text, rules)
    local, domain = rules.reduce(*plain)
    return f"{local}@{domain}"


def split_email(text: str) -> tuple[str, str]:
    """Return the folded local part and the ASCII domain of an address; raises as :func:`email_key` does."""
    plain = _split_plain(text)
    if plain is not None:
        return plain
    text = _trim(text)
    if not text:
        raise IdentityError("empty")
    local, domain = _validate(text, may_quote=True)
    if local.isascii():
        return local.lower(), domain
    folded = fold(local)
    if folded == local:
        return local, domain
    # Folding can bring in an at sign, a quote, a space or a dot that the first look did not see.
    return _validate(f"{folded}@{domain}", may_quote=False)


def _trim(text: str) -> str:
    text = text.strip()
    return text[:-1] if text[-1:] in _ROOT_DOTS else text


def _split_plain(text: str) -> tuple[str, str] | None:
    """Return the parts of a plain address, ``None`` for any other; to read one costs less than to remember it."""
    plain = _PLAIN.fullmatch(_trim(text))
    if plain is None:
        return None
    local, domain = plain.groups()
    return (local.lower(), _validate_domain(domain.lower())) if len(local) <= _LONGEST_LOCAL else None


@lru_cache(maxsize=_CACHED)
def _key(text: str, rules: EmailRules) -> str:
    for _ in range(_MOST_PASSES):
        local, domain = rules.reduce(*split_email(text))
        key = f"{local}@{domain}"
        # Dropping an ASCII character from an ASCII name can't make it fold anew; joining other letters can.
        if key == text or local.isascii():
            return key
        text = key
    raise IdentityError("unstable")


@lru_cache(maxsize=_CACHED)
def _validate_domain(domain: str) -> str:
    """Return a domain in ASCII; people are many and domains few, and to check one is most of an address's work."""
    return _validate(f"a@{domain}", may_quote=False)[1]


def _validate(text: str, *, may_quote: bool) -> tuple[str, str]:
    """Return the unquoted local part, in Unicode NFC, and the domain in ASCII."""
    from email_validator import EmailNotValidError, validate_email

    try:
        found = validate_email(
            text,
            allow_smtputf8=True,
            allow_empty_local=False,
            allow_quoted_local=may_quote,
            allow_domain_literal=False,
            allow_display_name=False,
            strict=False,
            check_deliverability=False,
            test_environment=False,
            globally_deliverable=True,
        )
    except (EmailNotValidError, UnicodeError):
        long = len(text.encode("utf-8", "surrogatepass")) > _LONGEST_ADDRESS
        raise IdentityError("too_long" if long else "invalid") from None
    if found.local_part.startswith('"'):
        raise IdentityError("quoted_local")
    return found.local_part, found.ascii_domain.lower()
