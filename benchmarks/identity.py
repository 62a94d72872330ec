"""Identity: what one key costs, in microseconds of processor time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import timeit
from collections.abc import Callable

from email_validator import validate_email

from authguard.identity import (
    ProxyTrust,
    Pseudonymizer,
    address_keys,
    client_address,
    email_key,
    identifier_key,
    phone_key,
    username_key,
)
from authguard.identity.email import _key
from authguard.identity.email_rules import EmailRules
from authguard.identity.phone import _number
from benchmarks.result import Result, tabulate_numbers

REPEATS = 7
ADDRESS = "some.user+tag@gmail.com"
FOREIGN = "j\u00f8rgen@example.com"
BROWSER_HEADERS = [(f"X-Header-{number}", "value") for number in range(12)]


def cost(call: Callable[[], object], number: int = 2000) -> float:
    """Return the microseconds of one call, the best of several rounds."""
    call()
    return min(timeit.repeat(call, timer=time.thread_time, number=number, repeat=REPEATS)) / number * 1e6


def email_costs() -> dict[str, float]:
    """Return the costs of e-mail keys beside those of the validator alone."""
    rules = EmailRules.default()
    return {
        "email-validator alone": cost(
            lambda: validate_email(ADDRESS, check_deliverability=False, allow_quoted_local=True), 500
        ),
        "email_key, a plain address": cost(lambda: email_key(ADDRESS)),
        "email_key, any other, first time": cost(lambda: _key.__wrapped__(FOREIGN, rules), 500),
        "email_key, any other, repeated": cost(lambda: email_key(FOREIGN)),
    }


def name_costs() -> dict[str, float]:
    """Return the costs of phone and user-name keys."""
    return {
        "phone_key, first time": cost(lambda: _number.__wrapped__("+44 20 7946 0958", None), 200),
        "phone_key, repeated": cost(lambda: phone_key("+44 20 7946 0958")),
        "username_key": cost(lambda: username_key("Ann.Lee")),
        "identifier_key of a plain e-mail address": cost(lambda: identifier_key(ADDRESS)),
    }


def address_costs() -> dict[str, float]:
    """Return the costs of finding the client and of its keys."""
    two_hops = ProxyTrust.cidr(["10.0.0.0/8"])
    cloudflare = ProxyTrust.parse("cloudflare+nginx")
    chain = [*BROWSER_HEADERS, ("X-Forwarded-For", "6.6.6.6, 203.0.113.7, 10.0.0.2")]
    edge = [*BROWSER_HEADERS, ("X-Forwarded-For", "6.6.6.6, 203.0.113.7, 172.64.1.1")]
    forwarded = ProxyTrust.parse({"mode": "cidr", "header": "forwarded", "trusted": ["10.0.0.0/8"]})
    quoted = [*BROWSER_HEADERS, ("Forwarded", 'for=6.6.6.6, for="[2001:db8::7]:4711";proto=https, for=10.0.0.2')]
    hostile = [("Forwarded", '"' * 1_000_000)]
    return {
        "client_address, two hops": cost(lambda: client_address("10.0.0.1", chain, two_hops)),
        "client_address, Cloudflare + nginx": cost(lambda: client_address("127.0.0.1", edge, cloudflare)),
        "client_address, Forwarded": cost(lambda: client_address("10.0.0.1", quoted, forwarded)),
        "client_address, 1 MB of quotes": cost(lambda: client_address("10.0.0.1", hostile, forwarded), 50),
        "address_keys, IPv4": cost(lambda: address_keys("203.0.113.7")),
        "address_keys, IPv6": cost(lambda: address_keys("2a00:1450:4001:81b::200e")),
    }


def pseudonym_costs() -> dict[str, float]:
    """Return the costs of a pseudonym and a tag."""
    hide = Pseudonymizer(b"0123456789abcdef0123456789abcdef", app="shop")
    return {
        "pseudonym": cost(lambda: hide.key("id", "login", "someuser@gmail.com")),
        "tag": cost(lambda: hide.tag("client", "login", "someuser@gmail.com", size=7)),
    }


def import_cost() -> float:
    """Return the microseconds that importing the room takes in a fresh interpreter, with bytecode cached."""
    code = "import time; t = time.process_time(); import authguard.identity; print(time.process_time() - t)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True, env=environment).stdout
        for _ in range(REPEATS)
    ]
    return min(map(float, runs)) * 1e6


def run() -> Result:
    """Measure every kind of key."""
    figures = {**email_costs(), **name_costs(), **address_costs(), **pseudonym_costs()}
    figures["import authguard.identity"] = import_cost()
    return tabulate_numbers("Identity", figures, "µs", {})
