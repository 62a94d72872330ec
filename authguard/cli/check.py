"""Check: ``authguard check`` prints what is wrong or doubtful about a policy file."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path
from typing import TYPE_CHECKING

from authguard.cli.exit_code import ExitCode
from authguard.otp.rules import read_rules
from authguard.policy import Severity, check_policies
from authguard.policy.settings import Settings, merge_settings
from authguard.policy.toml import parse_file
from authguard.spend import read_channels

if TYPE_CHECKING:
    from argparse import _SubParsersAction

DEFAULT = Path("authguard.toml")

_DESCRIPTION = """\
Print what is wrong or doubtful about a policy file and the shipped policies it changes.

exit code:
  0  nothing was found
  1  there are warnings: the application starts, and says them in its log
  2  there is an error: the application would not start; or the command line is wrong
"""


def register(commands: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the parser's."""
    parser = commands.add_parser(
        "check",
        help="print what is wrong or doubtful about a policy file",
        description=_DESCRIPTION,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help=f"the file; without it {DEFAULT} in the current folder, or the shipped policies where there is none",
    )
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> ExitCode:
    """Print the findings and return the exit code; raises ``ConfigurationError`` for a file that can't be used."""
    name, settings = read_settings(arguments.file)
    read_channels(settings.spend, name)
    read_rules(settings.codes, name)
    findings = check_policies(settings.policies)
    for finding in findings:
        sys.stdout.write(f"{finding.severity} {finding}\n")
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    counted = f"{len(settings.policies)} policies, {errors} errors, {len(findings) - errors} warnings"
    sys.stdout.write(f"{name}: {counted}\n")
    if errors:
        return ExitCode.UNUSABLE
    return ExitCode.DOUBTFUL if findings else ExitCode.FINE


def read_settings(file: Path | None) -> tuple[str, Settings]:
    """Return what ``file`` says, unchecked, and its name; without one, the folder's or else what is shipped."""
    path = file or (DEFAULT if DEFAULT.exists() else None)
    name = "shipped policies" if path is None else str(path)
    return name, Settings() if path is None else merge_settings(parse_file(path), name)
