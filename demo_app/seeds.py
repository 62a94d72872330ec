"""Seeds: the accounts that every demo starts with, so that there is somebody to be and somebody to attack."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from demo_app.accounts import Account, add_account, mailbox_key
from demo_app.contact import fold
from demo_app.database import open_database
from demo_app.second_factor import add_recovery_codes


@dataclass(frozen=True, slots=True)
class Seed:
    """An account whose password is no secret, and neither are the ``recovery`` codes that it asks for after it.

    ``password_hash`` is made of the password: written down, as the demo would be a quarter of a second later each time
    that it starts.
    """

    name: str
    contact: str
    password: str
    password_hash: str
    recovery: tuple[str, ...] = ()


_ARGON2 = "$argon2id$v=19$m=19456,t=2,p=1"
SEEDS = (
    Seed(
        "alice",
        "alice@example.com",
        "correct horse battery staple",
        f"{_ARGON2}$6RHjNnOMQIIwtJJUJ2Po1Q$58zhAcxS5AWAsX0LllPoqtBFb3Lp+aKJIJamZ50UHFA",
    ),
    Seed(
        "bob",
        "bob@example.com",
        "tidal lantern copper moss",
        f"{_ARGON2}$K7j/isjBEJyJ3ISTGsn+Qw$jtCaiqcQs0gCOA6EM0UEnYnS/MiDZC7c7QeASXMh1Os",
    ),
    Seed(
        "carol",
        "+12015550123",
        "seven quiet harbour lights",
        f"{_ARGON2}$yqCBZNDwnbHHCJKnRJ7CNA$RgGZKs19o4rh2IzxOZosOFyANQBUfZx0iWUzOeU0RfI",
    ),
    Seed(
        "mallory",
        "mallory@example.com",
        "mallory has an account too",
        f"{_ARGON2}$xV/s327DFRdtao1CuLxALw$zqi8pbGKdBqxw40cuSISFKc2uHrKsKcfS1eVziqTMB8",
    ),
    Seed(
        "дмитрий",
        "dmitri@example.com",
        "северный ветер и медный чайник",
        f"{_ARGON2}$MpnYmfAxzYATwq7WODsdjg$GyyqkwO3+TcTuT8jADjJIFga4SXgdSOPIPUUcwoJwHI",
    ),
    Seed(
        "ελένη",
        "eleni@example.com",
        "ένα ήσυχο λιμάνι το βράδυ",
        f"{_ARGON2}$zpYTjWz3agjrskZoTsPaMg$fmHmSUy+o92fvQP54vlVRavvMFhbtEbWUTuvHTsaM8w",
    ),
    Seed(
        "frida",
        "frida@example.com",
        "two locks on a garden gate",
        f"{_ARGON2}$WPWKQPzVqR/12OLw9/ee8Q$TKta7jrXCBDXHWMQvUKcrubdWr+i264ml+DgIgggUIE",
        ("DEM0-0N1Y-C0DE-AAAA-AAAA-0001", "DEM0-0N1Y-C0DE-AAAA-AAAA-0002", "DEM0-0N1Y-C0DE-AAAA-AAAA-0003"),
    ),
)


def plant_accounts(path: Path) -> None:
    """Add the seeds that are missing from the database at ``path``."""
    with closing(open_database(path)) as connection:
        known = {row["contact"] for row in connection.execute("SELECT contact FROM accounts")}
        for seed in SEEDS:
            if seed.contact in known:
                continue
            account = Account(seed.name, seed.contact, seed.password_hash)
            name = add_account(connection, account, mailbox_key(seed.contact))
            if name is not None:
                add_recovery_codes(connection, fold(name), seed.recovery)
