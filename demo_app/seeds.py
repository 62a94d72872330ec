"""Seeds: the accounts that every demo starts with, so that there is somebody to be and somebody to attack."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from authguard.login.argon2_hasher import Argon2Hasher
from demo_app.accounts import Account, add_account
from demo_app.database import open_database


@dataclass(frozen=True, slots=True)
class Seed:
    """An account whose password is no secret."""

    name: str
    contact: str
    password: str


SEEDS = (
    Seed("alice", "alice@example.com", "correct horse battery staple"),
    Seed("bob", "bob@example.com", "tidal lantern copper moss"),
    Seed("carol", "+447700900123", "seven quiet harbour lights"),
    Seed("mallory", "mallory@example.com", "mallory has an account too"),
    Seed("дмитрий", "dmitri@example.com", "северный ветер и медный чайник"),
    Seed("ελένη", "eleni@example.com", "ένα ήσυχο λιμάνι το βράδυ"),
)


def plant_accounts(path: Path) -> None:
    """Add the seeds that are missing from the database at ``path``."""
    with closing(open_database(path)) as connection:
        hasher = Argon2Hasher()
        known = {row["contact"] for row in connection.execute("SELECT contact FROM accounts")}
        for seed in SEEDS:
            if seed.contact not in known:
                add_account(connection, Account(seed.name, seed.contact, hasher.hash(seed.password)))
