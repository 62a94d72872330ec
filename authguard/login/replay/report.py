"""Report: what a replay found, as a value, in words and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from authguard.login.replay.tally import Tally

HEADINGS = ("", "tries", "passed", "takeovers", "people", "challenged", "denied")
"""Columns of the table: an attack's tries, those that pass and those that log in; then the people behind the others,
and how many of them were challenged, and denied, at least once."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a policy would have done. ``layers`` are those that refused anything, ``left_out`` those without data."""

    policy: str
    attack: Tally
    people: Tally
    layers: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def row(self, name: str) -> tuple[str, ...]:
        """Return the cells of this report's row in a table under :data:`HEADINGS`."""
        attack, people = self.attack, self.people
        numbers = (attack.tries, attack.passed, attack.successes, len(people.accounts))
        hit = (len(people.challenged_accounts), len(people.denied_accounts))
        return (name, *(f"{number:,}" for number in (*numbers, *hit)))

    def as_json(self) -> dict[str, object]:
        """Return the report in values that JSON knows."""
        return {
            "policy": self.policy,
            "attack": _numbers(self.attack),
            "people": _numbers(self.people),
            "layers": {
                name: {"attack": self.attack.layers[name], "people": self.people.layers[name]} for name in self.layers
            },
            "left_out": list(self.left_out),
        }

    def lines(self) -> list[str]:
        """Return the report in lines of text."""
        attack, people = self.attack, self.people
        told = [f"policy {self.policy}"]
        if attack.tries:
            told.append(
                f"attack: {attack.tries:,} tries, {attack.passed:,} pass, {attack.successes:,} takeovers; "
                f"{attack.challenged:,} challenged, {attack.denied:,} denied"
            )
        told.append(
            f"people: {people.tries:,} tries of {len(people.accounts):,} people; "
            f"{people.challenged:,} challenged ({len(people.challenged_accounts):,} people), "
            f"{people.denied:,} denied ({len(people.denied_accounts):,} people)"
        )
        if self.layers:
            rows = [(name, str(attack.layers[name]), str(people.layers[name])) for name in self.layers]
            told += ["", *table(("layer", "attack", "people"), rows)]
        if self.left_out:
            told += ["", f"not replayed, for the log says nothing about them: {', '.join(self.left_out)}"]
        return told


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a Markdown table whose columns are aligned: names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    rule = [":" + "-" * (width + 1) if not at else "-" * (width + 1) + ":" for at, width in enumerate(widths)]
    cells = [" | ".join(_aligned(row, widths)) for row in (headings, *rows)]
    return [f"| {cells[0]} |", f"|{'|'.join(rule)}|", *(f"| {line} |" for line in cells[1:])]


def _aligned(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    name, *numbers = zip(row, widths, strict=True)
    return [name[0].ljust(name[1]), *(cell.rjust(width) for cell, width in numbers)]


def _numbers(tally: Tally) -> dict[str, int]:
    return {
        "tries": tally.tries,
        "passed": tally.passed,
        "successes": tally.successes,
        "challenged": tally.challenged,
        "denied": tally.denied,
        "accounts": len(tally.accounts),
        "challenged_accounts": len(tally.challenged_accounts),
        "denied_accounts": len(tally.denied_accounts),
    }
