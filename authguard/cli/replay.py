"""Replay: ``authguard replay`` prints what a policy would have done to the logins in a log, or in made-up traffic."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from authguard.cli.exit_code import ExitCode
from authguard.durations import parse_duration
from authguard.errors import ConfigurationError
from authguard.login.replay.access_log import AccessLog
from authguard.login.replay.attack_windows import read_windows
from authguard.login.replay.conditions import Attackers, Conditions, KnownDevices
from authguard.login.replay.log_file import read_log
from authguard.login.replay.report import HEADINGS, Report, table
from authguard.login.replay.run import replay
from authguard.login.replay.variants.catalogue import VARIANTS, WARM_UP
from authguard.login.replay.yardsticks import YARDSTICKS
from authguard.policy.settings import Settings, merge_settings
from authguard.policy.toml import parse_file

if TYPE_CHECKING:
    from argparse import _SubParsersAction

_DESCRIPTION = """\
Print what a policy would have done to the logins in a log: CSV with a header, JSON lines, or the common or combined
access log of a web server. The guard, its counters and its detectors are an application's; the time is the log's.

An account and an address from which it has logged in before stand for a known device, as logs hold no cookies.
People solve challenges and attackers don't, unless told otherwise.

exit code:
  0  the log was replayed
  1  it was, but some lines could not be read
  2  it could not be replayed; or the command line is wrong
"""


def register(commands: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the parser's."""
    parser = commands.add_parser(
        "replay",
        help="print what a policy would have done to the logins in a log",
        description=_DESCRIPTION,
        formatter_class=RawDescriptionHelpFormatter,
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the log")
    names = ", ".join(variant.name for variant in VARIANTS)
    source.add_argument("--variant", metavar="NAME", help=f"replay made-up traffic instead: all, or one of {names}")
    add = parser.add_argument
    add("--attacks", type=Path, metavar="CSV", help="which tries were an attack's: columns start, end, source_ip")
    add("--policy", default="login", metavar="NAME", help="the policy to replay (login)")
    add("--config", type=Path, metavar="TOML", help="a policy file; without it the shipped policies")
    add("--compare", action="store_true", help="show simple policies beside it")
    add("--no-devices", action="store_true", help="know no devices: everybody stays a stranger")
    add("--solve", action="store_true", help="let attackers solve every challenge they get")
    add("--workers", type=_count, default=1, metavar="N", help="share the tries among N processes (1)")
    add("--warm-up", type=_duration, default=None, metavar="TIME", help="count nothing in the log's first TIME, as 7d")
    add("--path", default="/login", help="in an access log: where the form is sent (/login)")
    add("--success", type=_statuses, default=frozenset(), metavar="302,…", help="the statuses of a login that worked")
    add("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> ExitCode:
    """Print the report and return the exit code; raises ``ConfigurationError`` for what can't be replayed."""
    name = "shipped policies" if arguments.config is None else str(arguments.config)
    settings = Settings() if arguments.config is None else merge_settings(parse_file(arguments.config), name)
    if arguments.policy not in settings.policies:
        known = ", ".join(sorted(settings.policies))
        raise ConfigurationError(f"there is no policy {arguments.policy!r}; replay one of {known}")
    conditions = Conditions(
        KnownDevices.NONE if arguments.no_devices else KnownDevices.PAIRS,
        Attackers.SOLVE if arguments.solve else Attackers.GIVE_UP,
        arguments.workers,
        arguments.warm_up or 0,
    )
    if arguments.variant is not None:
        return _run_variants(arguments, settings, conditions)
    return _run_log(arguments, settings, conditions)


def _run_log(arguments: Namespace, settings: Settings, conditions: Conditions) -> ExitCode:
    log = read_log(arguments.file, AccessLog(arguments.path, arguments.success))
    records = log.records if arguments.attacks is None else read_windows(arguments.attacks).label(log.records)
    policies = [*YARDSTICKS] if arguments.compare else []
    policies.append((arguments.policy, settings.policies[arguments.policy]))
    rules = settings.identity.email_rules
    reports = [(name, replay(policy, records, conditions, rules)) for name, policy in policies]
    _print(reports, arguments.json)
    if log.skipped:
        sys.stderr.write(f"{log.skipped} of the log's lines can't be read, such as {log.first}\n")
    return ExitCode.DOUBTFUL if log.skipped else ExitCode.FINE


def _run_variants(arguments: Namespace, settings: Settings, conditions: Conditions) -> ExitCode:
    chosen = [variant for variant in VARIANTS if arguments.variant in ("all", variant.name)]
    if not chosen:
        known = ", ".join(variant.name for variant in VARIANTS)
        raise ConfigurationError(f"there is no variant {arguments.variant!r}; replay all, or one of {known}")
    policy = settings.policies[arguments.policy]
    conditions = conditions if arguments.warm_up is not None else replace(conditions, warm_up=WARM_UP)
    _print([(each.name, replay(policy, each.records(), conditions)) for each in chosen], arguments.json)
    return ExitCode.FINE


def _print(reports: list[tuple[str, Report]], as_json: bool) -> None:
    if as_json:
        lines = [json.dumps({name: report.as_json() for name, report in reports}, indent=2)]
    elif len(reports) == 1:
        lines = reports[0][1].lines()
    else:
        lines = table(HEADINGS, [report.row(name) for name, report in reports])
    sys.stdout.write("\n".join(lines) + "\n")


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise ArgumentTypeError("must be a whole number from 1 to 1000")
    return int(text)


def _duration(text: str) -> int:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def _statuses(text: str) -> frozenset[int]:
    codes = text.split(",")
    if not all(code.isdecimal() and 100 <= int(code) <= 599 for code in codes):
        raise ArgumentTypeError("must be statuses with commas between, such as 302 or 200,302")
    return frozenset(map(int, codes))
