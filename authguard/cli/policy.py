"""Policy: ``authguard policy odds`` prints what guessing within the limits gets an attacker."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path
from typing import TYPE_CHECKING

from authguard.cli.check import read_settings
from authguard.cli.exit_code import ExitCode
from authguard.limits import Counts
from authguard.policy import Policy
from authguard.policy.odds import DOUBTFUL, Odds, odds_of

if TYPE_CHECKING:
    from argparse import _SubParsersAction

_DESCRIPTION = f"""\
Print, for each policy under which secrets are guessed, the worst case for one account: the guesses that a stranger with
any number of addresses gets in a day and in a year, the odds that one of a year's guesses is right, and how many of a
million accounts a year of it takes over. Odds are known for codes (policies with digits), not for passwords.

exit code:
  0  no odds are above {DOUBTFUL:.0%} a year
  1  some are
  2  the file can't be used; or the command line is wrong
"""
_HEADS = ("policy", "guesses a day", "a year", "digits", "odds a year", "of a million accounts")


def register(commands: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the parser's."""
    parser = commands.add_parser("policy", help="what the policies are worth")
    inner = parser.add_subparsers(metavar="COMMAND", required=True)
    odds = inner.add_parser(
        "odds",
        help="print what guessing within the limits gets an attacker",
        description=_DESCRIPTION,
        formatter_class=RawDescriptionHelpFormatter,
    )
    odds.add_argument("file", nargs="?", type=Path, metavar="FILE", help="as for authguard check")
    odds.set_defaults(run=print_odds)


def print_odds(arguments: Namespace) -> ExitCode:
    """Print the table; raises ``ConfigurationError`` for a file that can't be used."""
    _, settings = read_settings(arguments.file)
    guessed = [policy for policy in settings.policies.values() if _is_guessed(policy)]
    odds = [odds_of(policy) for policy in guessed]
    rows = [_HEADS, *(_row(policy, each) for policy, each in zip(guessed, odds, strict=True))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        sys.stdout.write("  ".join(cells) + "\n")
    return ExitCode.DOUBTFUL if any((each.takeover or 0) > DOUBTFUL for each in odds) else ExitCode.FINE


def _is_guessed(policy: Policy) -> bool:
    return policy.digits > 0 or any(layer.counts is Counts.FAILURES for layer in policy.layers)


def _row(policy: Policy, odds: Odds) -> tuple[str, ...]:
    return (
        policy.name,
        _count(odds.a_day),
        _count(odds.a_year),
        str(policy.digits or "-"),
        "-" if odds.takeover is None else f"{odds.takeover:.2%}",
        "-" if odds.per_million is None else f"{odds.per_million:,.0f}",
    )


def _count(guesses: int | None) -> str:
    return "no limit" if guesses is None else f"{guesses:,}"
