"""Seeds: the accounts that every demo starts with, so that there is somebody to be and somebody to attack."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from authguard.login.argon2_hasher import Argon2Hasher
from demo_app.accounts import Account, add_account
from demo_app.contact import fold
from demo_app.database import open_database
from demo_app.second_factor import add_recovery_codes


@dataclass(frozen=True, slots=True)
class Seed:
    """An account whose password is no secret, and neither are the ``recovery`` codes that it asks for after it."""

    name: str
    contact: str
    password: str
    recovery: tuple[str, ...] = ()


SEEDS = (
    Seed("alice", "alice@example.com", "correct horse battery staple"),
    Seed("bob", "bob@example.com", "tidal lantern copper moss"),
    Seed("carol", "+12015550123", "seven quiet harbour lights"),
    Seed("mallory", "mallory@example.com", "mallory has an account too"),
    Seed("дмитрий", "dmitri@example.com", "северный ветер и медный чайник"),
    Seed("ελένη", "eleni@example.com", "ένα ήσυχο λιμάνι το βράδυ"),
    Seed(
        "frida",
        "frida@example.com",
        "two locks on a garden gate",
        ("DEM0-0N1Y-C0DE-AAAA-AAAA-0001", "DEM0-0N1Y-C0DE-AAAA-AAAA-0002", "DEM0-0N1Y-C0DE-AAAA-AAAA-0003"),
    ),
)


def plant_accounts(path: Path) -> None:
    """Add the seeds that are missing from the database at ``path``."""
    with closing(open_database(path)) as connection:
        hasher = Argon2Hasher()
        known = {row["contact"] for row in connection.execute("SELECT contact FROM accounts")}
        for seed in SEEDS:
            if seed.contact in known:
                continue
            name = add_account(connection, Account(seed.name, seed.contact, hasher.hash(seed.password)))
            if name is not None:
                add_recovery_codes(connection, fold(name), seed.recovery)
