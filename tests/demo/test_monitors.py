"""The allow-list of monitors: a certain address is spared, a stand-in never is."""

from __future__ import annotations

import pytest

from tests.demo.conftest import Open

HERE = "127.0.0.1"
BEHIND = ("--proxy", "nginx")


def guesses_reached(open_demo: Open, options: tuple[str, ...], headers: dict[str, str]) -> int:
    """Return how many of eight wrong guesses at one account had their password looked at."""
    client = open_demo(*options)
    answers = [
        client.post("/login", json={"identifier": "alice", "password": f"guess {number}"}, headers=headers)
        for number in range(8)
    ]
    return sum(answer.status_code == 401 for answer in answers)


@pytest.mark.parametrize(
    ("options", "headers", "reached"),
    [
        (("--monitor", HERE), {}, 8),
        (("--monitor", "192.0.2.7"), {}, 5),
        ((*BEHIND, "--monitor", "192.0.2.7"), {"X-Forwarded-For": "192.0.2.7"}, 8),
        ((*BEHIND, "--monitor", "192.0.2.7"), {"X-Forwarded-For": "192.0.2.7, 192.0.2.8"}, 5),
        ((*BEHIND, "--monitor", HERE), {"X-Forwarded-For": HERE}, 8),
        ((*BEHIND, "--monitor", HERE), {"X-Forwarded-For": "unknown"}, 5),
        ((*BEHIND, "--monitor", HERE), {}, 5),
        ((*BEHIND, "--monitor", HERE, "--without", "certain-address"), {"X-Forwarded-For": "unknown"}, 8),
        ((*BEHIND, "--monitor", HERE, "--without", "certain-address"), {}, 8),
    ],
)
def test_only_an_address_that_is_certain_is_spared(
    open_demo: Open, options: tuple[str, ...], headers: dict[str, str], reached: int
) -> None:
    assert guesses_reached(open_demo, options, headers) == reached


def test_ipv6_is_read_in_any_spelling(open_demo: Open) -> None:
    options = (*BEHIND, "--monitor", "2A00:1450:0::1")
    assert guesses_reached(open_demo, options, {"X-Forwarded-For": "2a00:1450::1"}) == 8
