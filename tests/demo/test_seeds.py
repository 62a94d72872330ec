"""The seeds: what is written down of their passwords is what the demo would make of them today."""

from __future__ import annotations

import pytest

from authguard.login.argon2_hasher import Argon2Hasher
from authguard.login.hashers import Fit
from demo_app.seeds import SEEDS, Seed


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.name)
def test_the_hash_is_one_of_the_password(seed: Seed) -> None:
    hasher = Argon2Hasher()
    assert hasher.verify(seed.password_hash, seed.password)
    assert hasher.fit(seed.password_hash) is Fit.CURRENT
