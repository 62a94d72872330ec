"""The command line: weakened only on loopback, and one mistake a part."""

from __future__ import annotations

import pytest

from demo_app.defenses import DEFENSES, select
from demo_app.options import parse_options

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing is bound to it


@pytest.mark.parametrize("weakness", [["--unguarded"], ["--without", "joining"], ["--clock-offset", "90"]])
@pytest.mark.parametrize("host", [EVERYWHERE, "192.0.2.1", "::", "example.com"])
def test_a_weakened_demo_serves_loopback_only(
    weakness: list[str], host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse_options([*weakness, "--host", host])
    assert "on loopback only" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
def test_loopback_may_be_weakened(host: str) -> None:
    assert parse_options(["--unguarded", "--host", host]).weakened


def test_a_guarded_demo_may_serve_anybody() -> None:
    assert not parse_options(["--host", EVERYWHERE]).weakened


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--without", "nothing-like-it"], "invalid choice"),
        (["--unguarded", "--without", "joining"], "already takes everything away"),
        (["--without", "joining", "--without", "charge-first"], "both replace the counting of attempts"),
        (["--workers", "0"], "must be at least 1"),
        (["--monitor", "localhost"], "must be an IP address"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_options(arguments)
    assert said in capsys.readouterr().err


def test_defenses_of_different_parts_go_together() -> None:
    chosen = select(["random-dummy", "spelling", "proxy-chain", "joining", "verifier"])
    assert [defense.name for defense in chosen] == ["spelling", "proxy-chain", "joining", "verifier", "random-dummy"]


def test_every_defense_has_a_name_of_its_own() -> None:
    assert len({defense.name for defense in DEFENSES}) == len(DEFENSES)
