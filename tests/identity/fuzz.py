"""Fuzzing: mutated vectors and odd characters through every key, checking what must hold for any input at all.

Run it with ``python -m tests.identity.fuzz --inputs 1000000``; a failure prints the input and the seed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from random import Random

from authguard.errors import IdentityError
from authguard.identity import (
    IdentifierKind,
    ProxyTrust,
    address_keys,
    client_address,
    email_key,
    explain_address,
    identifier_key,
    phone_key,
    username_key,
)
from tests.identity.vectors import cell, rows

ODD = [
    *'@.+-_"\\,;:()[]<>%/= \t\r\n\0\x1b\x7f',
    *"\u00a0\u00ad\u00b4\u00df\u0130\u0131\u0301\u034f\u0345\u03c2\u0661\u115f\u200b\u200d\u200e\u2024\u2025\u202e\u2060",
    *"\u2100\u212a\u2474\u2460\u3000\u3002\u3164\ufb01\ufdfa\ufe0f\ufe6b\ufeff\uff0b\uff0e\uff11\uff20\uff02\uff21\uffa0",
    *"\ud800\udcff\U0001d42e\U000e0041\U0010ffff",
    *(
        "xn--",
        "ext",
        "tel:",
        "+521",
        "+549",
        "+55",
        "for=",
        "10.0.0.1",
        "::ffff:",
        "gmail.com",
        "yandex.ru",
        "fastmail.com",
    ),
]
TRUSTS = [
    *(ProxyTrust.parse(name) for name in ("none", "nginx", "cloudflare+nginx", "heroku", "count=2")),
    ProxyTrust.parse(
        {"mode": "cidr", "header": "forwarded", "trusted": ["10.0.0.0/8", "127.0.0.1"], "trust_unix": True}
    ),
    ProxyTrust.single("x-real-ip", ["10.0.0.0/8", "127.0.0.1"]),
]
REGIONS = [None, "US", "gb", "IT", "AR", "BR", "MX", "RU", "XX"]
KEY_FORMS = {
    "email": re.compile(r"[^@\s\0-\x1f]+@[a-z0-9.-]+"),
    "phone": re.compile(r"\+[0-9]{4,20}"),
    "username": re.compile(r"[^\0-\x1f]+"),
}


def mutate(random: Random, text: str, depth: int = 4) -> str:
    """Return ``text`` with a few characters taken out, put in, doubled, folded or swapped."""
    for _ in range(random.randrange(depth)):
        at = random.randrange(len(text) + 1)
        how = random.randrange(5)
        if how == 0:
            text = text[:at] + random.choice(ODD) + text[at:]
        elif how == 1:
            text = text[:at] + text[at + random.randrange(1, 4) :]
        elif how == 2:
            text = text[:at] + text[at : at + 5] * random.choice([2, 2, 2, 60]) + text[at:]
        elif how == 3:
            text = text[:at] + chr(random.randrange(0x3000 if random.random() < 0.9 else 0x110000)) + text[at:]
        else:
            text = text[:at].swapcase() + text[at:]
    return text


def check_key(kind: str, make: Callable[[str], str], text: str) -> None:
    """Check that a key is well formed and its own key, and that nothing but an ``IdentityError`` is raised."""
    try:
        key = make(text)
    except IdentityError:
        return
    assert len(key) <= 320
    assert KEY_FORMS[kind].fullmatch(key), key
    assert make(key) == key, key


def check_email(random: Random, text: str) -> None:
    """Check an e-mail key, and that the case of its ASCII letters makes no difference."""
    check_key("email", email_key, text)
    if text.isascii():
        assert outcome(email_key, text) == outcome(email_key, text.swapcase())


def check_phone(random: Random, text: str) -> None:
    """Check a phone key dialled from a random region; the key itself needs no region."""
    region = random.choice(REGIONS)
    check_key(
        "phone",
        lambda spelled: phone_key(spelled, None if spelled[:1] == "+" and spelled[1:].isdigit() else region),
        text,
    )


def check_name(random: Random, text: str) -> None:
    """Check a user name, and the field that takes anything."""
    check_key("username", username_key, text)
    try:
        found = identifier_key(text, default_region=random.choice(REGIONS))
    except IdentityError:
        return
    if found.kind is not IdentifierKind.PHONE:
        assert identifier_key(found.key, {found.kind}) == found


def check_address(random: Random, text: str) -> None:
    """Check that a chain gives an address with keys, or none, and that its explanation agrees."""
    trust = random.choice(TRUSTS)
    peer = random.choice(["10.0.0.1", "127.0.0.1", "203.0.113.1", "", text])
    headers = [(trust.header, text)] * random.choice([1, 1, 1, 2]) + [("x_forwarded_for", "6.6.6.6")]
    client = client_address(peer, headers, trust)
    assert explain_address(peer, headers, trust).client == client
    assert (client.ip is None) == (client.status == "no_peer")
    if client.ip is not None:
        assert address_keys(client.ip).ip.rpartition("/")[2] in ("32", "64", "48")
        assert client_address(client.ip, [], ProxyTrust()).ip == client.ip
    if client.status == "degraded":
        assert any(trust.trusts(value) for value in [_as_int(client.ip)]) or not trust.networks


def _as_int(ip: str | None) -> int:
    from authguard.identity.address import parse_node

    value = parse_node(ip or "")
    assert value is not None
    return value


def outcome(make: Callable[[str], str], text: str) -> str:
    """Return the key of ``text``, or the code it is refused with."""
    try:
        return make(text)
    except IdentityError as refused:
        return f"error:{refused.code}"


def _address_texts() -> list[str]:
    texts = [value for row in rows("ips.csv") for _, value in cell(row["headers"])]
    return [text for text in texts if len(text) < 500] + [cell(row["remote_addr"]) for row in rows("ips.csv")]


def run(inputs: int, seed: int) -> None:
    """Check ``inputs`` inputs; raises ``AssertionError`` with the input that broke a rule."""
    random = Random(seed)
    corpora: list[tuple[Callable[[Random, str], None], list[str]]] = [
        (check_email, [cell(row["input"]) for row in rows("emails.csv")]),
        (check_phone, [cell(row["input"]) for row in rows("phones.csv")]),
        (check_name, [cell(row["input"]) for name in ("emails.csv", "phones.csv") for row in rows(name)]),
        (check_address, _address_texts()),
    ]
    for _ in range(inputs):
        check, texts = random.choice(corpora)
        text = mutate(random, random.choice(texts))
        try:
            check(random, text)
        except Exception as failure:
            raise AssertionError(f"{check.__name__}({text!r}), seed {seed}: {failure!r}") from failure


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    run(options.inputs, options.seed)
    sys.stdout.write(f"{options.inputs} inputs held with seed {options.seed}\n")


if __name__ == "__main__":
    main()
