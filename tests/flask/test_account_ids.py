"""Accounts' ids are text: a number from a table is refused with a sentence, wherever it would meet a token's text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.flask.post import OWNER, Post

NUMBER: Any = 7


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    made = Post(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize(
    "use",
    [
        lambda guard: guard.codes.send("login", OWNER, account=NUMBER, deliver=OWNER),
        lambda guard: guard.codes.verify("login", "token", "123456", to=OWNER, account=NUMBER, deliver=OWNER),
        lambda guard: guard.factors.check_app(NUMBER, None, "123456"),
        lambda guard: guard.factors.check_recovery(NUMBER, [], "code", bool),
    ],
)
def test_a_number_is_refused_with_what_to_write(post: Post, use: Callable[[Any], object]) -> None:
    request = post.app.test_request_context("/", method="POST", environ_base={"REMOTE_ADDR": "192.0.2.1"})
    with request, pytest.raises(TypeError, match=r"write str\(user\.id\)"):
        use(post.guard)
