"""Main: the ``authguard`` command, which finds the command asked for and exits with what it returns."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from authguard import __version__
from authguard.cli import check, policy, replay, spend
from authguard.cli.exit_code import ExitCode
from authguard.errors import ConfigurationError

_COMMANDS = (check, policy, replay, spend)
"""Modules with ``register(subparsers)``, which sets ``run``: a function of the arguments that returns the exit code."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that ``arguments`` name, by default the process's own; return the exit code."""
    parser = ArgumentParser("authguard", description="Look after the policies that guard an application's endpoints.")
    parser.add_argument("--version", action="version", version=f"authguard {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in _COMMANDS:
        command.register(commands)
    parsed = parser.parse_args(arguments)
    try:
        code: ExitCode = parsed.run(parsed)
    except ConfigurationError as error:
        sys.stderr.write(f"{error}\n")
        return ExitCode.UNUSABLE
    return code
