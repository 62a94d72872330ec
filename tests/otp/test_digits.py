"""Digits: drawn evenly, of one width, and nothing but the ten that everybody means."""

from __future__ import annotations

import math
import secrets
from collections import Counter
from typing import Any

import pytest

from authguard.otp.digits import draw_code, is_code


def p_value(observed: Counter[str], cells: int, total: int) -> float:
    """Return the upper tail of the chi-squared distribution, by the Wilson-Hilferty approximation."""
    expected = total / cells
    statistic = sum((observed[key] - expected) ** 2 for key in observed) / expected
    statistic += (cells - len(observed)) * expected
    freedom = cells - 1
    z = ((statistic / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    return 0.5 * math.erfc(z / math.sqrt(2))


def counted(draw: Any, total: int) -> list[tuple[Counter[str], int]]:
    """Return how often each digit stands at each place, and each pair of first digits, in ``total`` codes."""
    codes = [draw() for _ in range(total)]
    places = [(Counter(code[place] for code in codes), 10) for place in range(6)]
    return [*places, (Counter(code[:2] for code in codes), 100), (Counter(code[3:] for code in codes), 1000)]


def test_codes_are_drawn_evenly() -> None:
    total = 200_000
    # Eight tests at once have 0.01 together (Bonferroni), and a second chance, which one run in a hundred needs.
    lowest = [
        min(p_value(observed, cells, total) for observed, cells in counted(lambda: draw_code(6), total))
        for _ in range(2)
    ]
    assert max(lowest) > 0.01 / 8


def test_the_test_of_evenness_sees_a_modulo() -> None:
    """Twenty bits modulo a million: 48,576 codes are twice as likely as the others."""
    biased = counted(lambda: f"{secrets.randbits(20) % 1_000_000:06d}", 200_000)
    assert min(p_value(observed, cells, 200_000) for observed, cells in biased) < 1e-6


@pytest.mark.parametrize(("drawn", "code"), [(0, "000000"), (7, "000007"), (12345, "012345"), (999_999, "999999")])
def test_a_code_has_one_width(drawn: int, code: str) -> None:
    asked: list[int] = []

    def below(bound: int) -> int:
        asked.append(bound)
        return drawn

    assert draw_code(6, below) == code
    assert asked == [1_000_000]
    assert is_code(code, 6)


@pytest.mark.parametrize(
    "given",
    [
        "",
        "1",
        "12345",
        "1234567",
        " 12345",
        "12345 ",
        "12345\n",
        "+12345",
        "-12345",
        "12_345",
        "1e5000",
        "0x1234",
        "123.45",
        "১২৩৪৫৬",
        "１２３４５６",
        "12345²",
        "①②③④⑤⑥",
        "12345٦",
        123456,
        123456.0,
        True,
        None,
        b"123456",
        ["1", "2", "3", "4", "5", "6"],
        ["123456"],
        {"code": "123456"},
    ],
)
def test_nothing_else_is_a_code(given: object) -> None:
    assert not is_code(given, 6)


def test_a_string_with_manners_of_its_own_is_no_code() -> None:
    class Sly(str):
        """Equal to everything."""

        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 0

    assert not is_code(Sly("123456"), 6)
