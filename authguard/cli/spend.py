"""Spend: ``authguard spend show`` prints what every channel's caps hold now."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from authguard.cli.check import read_settings
from authguard.cli.exit_code import ExitCode
from authguard.durations import parse_duration
from authguard.errors import ConfigurationError, StoreError
from authguard.identity import Pseudonymizer, derive_secret
from authguard.spend import Balance, Ledger, read_channels
from authguard.stores import open_store

if TYPE_CHECKING:
    from argparse import _SubParsersAction

_DESCRIPTION = """\
Print what every cap of every channel holds now: spent, reserved and left.

The environment says where to look and under which secret, as it does for the application: AUTHGUARD_STORE,
AUTHGUARD_NAMESPACE (the application's name where it sets none), AUTHGUARD_SECRET or else SECRET_KEY, and during a
rotation AUTHGUARD_PREVIOUS_SECRETS.

exit code:
  0  every cap has something left
  1  a cap is spent
  2  the store can't be read, or the command line, the file or the environment is wrong
"""
_NOTHING = (
    "nothing was spent in seven days; if that is wrong, AUTHGUARD_STORE, AUTHGUARD_NAMESPACE or AUTHGUARD_SECRET is "
    "not what the application has\n"
)
PATIENCE = parse_duration("5s")
"""How long a store call may take: an operator who asks is in no hurry."""
_COLUMNS = ("channel", "cap", "limit", "spent", "reserved", "left", "unit")


def register(commands: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the parser's."""
    parser = commands.add_parser("spend", help="print what every channel's caps hold now")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    show = actions.add_parser("show", description=_DESCRIPTION, formatter_class=RawDescriptionHelpFormatter)
    show.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the application's authguard.toml")
    show.set_defaults(run=run)


def run(arguments: Namespace) -> ExitCode:
    """Print the balances and return the exit code; raises ``ConfigurationError`` for what can't be used."""
    name, settings = read_settings(arguments.file)
    channels = read_channels(settings.spend, name, settings.identity.default_region)
    pseudonymizer = Pseudonymizer(_secret(), app=_required("AUTHGUARD_NAMESPACE"), previous=_previous_secrets())
    store = open_store(_required("AUTHGUARD_STORE"), deadline=PATIENCE)
    try:
        balances = Ledger(store, pseudonymizer, channels).balances()
    except StoreError as error:
        sys.stderr.write(f"the store can't be read: {error}\n")
        return ExitCode.UNUSABLE
    finally:
        store.close()
    _print([_COLUMNS, *map(_row, balances)])
    if not any(balance.spent or balance.reserved for balance in balances):
        sys.stderr.write(_NOTHING)
    return ExitCode.DOUBTFUL if any(balance.left == 0 for balance in balances) else ExitCode.FINE


def _row(balance: Balance) -> Sequence[str]:
    endless = balance.cap == "total"
    return (
        balance.channel,
        balance.cap,
        "in 7 days" if endless else str(balance.limit),
        str(balance.spent),
        str(balance.reserved),
        "-" if endless else str(balance.left),
        balance.unit,
    )


def _print(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def _secret() -> bytes | str:
    own = os.environ.get("AUTHGUARD_SECRET")
    return own or derive_secret(_required("SECRET_KEY", "AUTHGUARD_SECRET, or else SECRET_KEY"))


def _previous_secrets() -> Sequence[str]:
    own = os.environ.get("AUTHGUARD_PREVIOUS_SECRETS")
    return own.split(",") if own else ()


def _required(name: str, spoken: str = "") -> str:
    value = os.environ.get(name)
    if not value:
        raise ConfigurationError(f"set {spoken or name} in the environment to what the application has")
    return value
