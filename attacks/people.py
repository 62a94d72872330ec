"""People: the accounts that the demo's home page tells everybody about."""

from __future__ import annotations

from dataclasses import dataclass

from attacks.client import Answer, Broken
from attacks.target import Target


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an account, and the address they are at."""

    name: str
    contact: str
    password: str
    address: str

    def gets_in(self, target: Target) -> bool:
        """Return whether the right password lets them in from where they are."""
        return self.log_in(target).right

    def log_in(self, target: Target, cookies: dict[str, str] | None = None, address: str | None = None) -> Answer:
        """Log in by the right password, from ``address`` or from where they are, in a browser that has ``cookies``."""
        return target.client(address or self.address).login(self.name, self.password, cookies)

    def browser(self, target: Target) -> dict[str, str]:
        """Return the cookies of a browser in which they have logged in once; raises ``Broken`` when they can't."""
        answer = self.log_in(target)
        if not answer.right:
            raise Broken(f"{self.name} can’t log in even before the attack")
        return answer.cookies


ALICE = Person("alice", "alice@example.com", "correct horse battery staple", "198.51.100.10")
BOB = Person("bob", "bob@example.com", "tidal lantern copper moss", "198.51.101.20")
CAROL = Person("carol", "+12015550123", "seven quiet harbour lights", "198.51.102.30")
DMITRI = Person("дмитрий", "dmitri@example.com", "северный ветер и медный чайник", "198.51.103.40")
ELENI = Person("ελένη", "eleni@example.com", "ένα ήσυχο λιμάνι το βράδυ", "198.51.104.50")
FRIDA = Person("frida", "frida@example.com", "two locks on a garden gate", "198.51.106.70")
"""The one with a second factor."""
MALLORY = Person("mallory", "mallory@example.com", "mallory has an account too", "203.0.113.66")
"""The attacker."""
