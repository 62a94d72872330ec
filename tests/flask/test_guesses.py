"""Guesses at codes over HTTP: what an account may be tried, whichever of its names is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flask.post import ALIAS, OWNER, Post, ask, enter


@pytest.mark.parametrize("resolver", [False, True])
def test_all_names_of_an_account_have_one_budget_of_guesses(tmp_path: Path, resolver: bool) -> None:
    post = Post(tmp_path, resolver)
    owner = post.app.test_client()
    token = (ask(owner, ALIAS).json or {})["token"]
    code = post.code()
    for number, email in enumerate((OWNER, OWNER, OWNER, ALIAS)):
        ip, client = f"198.51.{number}.1", post.app.test_client()
        guessed = (ask(client, email, ip).json or {})["token"]
        for guess in range(5):
            assert enter(client, guessed, f"{number}{guess}0000", email, ip).status_code == 400
    assert enter(owner, token, code, ALIAS).status_code == 400
    post.close()
