"""Options: what the command line of the demo says, checked."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from demo_app.defenses import DEFENSES, select


@dataclass(frozen=True, slots=True)
class Options:
    """How to serve the demo.

    ``without`` names the defenses taken away; ``unguarded`` takes all of them. ``store``, ``config`` and ``proxy`` are
    passed to authguard as they are; ``None`` leaves its defaults. ``monitor`` are addresses that aren't counted.
    ``provider`` is the URL by which text messages leave, the outbox where there is none; ``sms_rate`` how fast.
    ``clock_offset`` is by how many seconds the demo's clock is put wrong; ``rotate_secret`` puts a new secret first.
    """

    instance: Path
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 4
    threads: int = 4
    store: str | None = None
    config: Path | None = None
    proxy: str | None = None
    monitor: tuple[str, ...] = ()
    provider: str | None = None
    sms_rate: str | None = None
    unguarded: bool = False
    without: tuple[str, ...] = ()
    clock_offset: int = 0
    rotate_secret: bool = False

    @property
    def site(self) -> str:
        """Where the demo is found, without a slash at the end."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    @property
    def weakened(self) -> bool:
        """True when any defense is off, or the clock."""
        return self.unguarded or bool(self.without) or self.clock_offset != 0


def parse_options(arguments: Sequence[str] | None = None) -> Options:
    """Return the options in ``arguments``; exits with a sentence when they can't be served safely."""
    parser = _build_parser()
    given = parser.parse_args(arguments)
    fields = {name: value for name, value in vars(given).items() if value is not None}
    for repeatable in ("without", "monitor"):
        fields[repeatable] = tuple(dict.fromkeys(fields.get(repeatable, ())))
    options = Options(**fields)
    if options.weakened and not _is_loopback(options.host):
        parser.error("--unguarded, --without and --clock-offset serve on loopback only; leave --host alone")
    if options.unguarded and options.without:
        parser.error("--unguarded already takes everything away; drop --without")
    try:
        select(options.without)
    except ValueError as error:
        parser.error(str(error))
    return options


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _build_parser() -> argparse.ArgumentParser:
    table = "\n".join(f"  {defense.name:17} without it: {defense.naive}" for defense in DEFENSES)
    parser = argparse.ArgumentParser(
        "python -m demo_app",
        description="Serve the demo under gunicorn.",
        epilog=f"defenses that can be taken away, to see what happens then:\n{table}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--host", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (8000); 0 takes any free one")
    parser.add_argument("--workers", type=_at_least_one, help="worker processes (4)")
    parser.add_argument("--threads", type=_at_least_one, help="threads in each worker (4)")
    parser.add_argument("--store", metavar="URL", help="where authguard counts (SQLite in the instance folder)")
    parser.add_argument("--config", metavar="FILE", type=_absolute, help="policies of your own, in TOML")
    parser.add_argument("--proxy", metavar="SPEC", help="the proxy in front of the demo, such as nginx (none)")
    parser.add_argument(
        "--monitor", metavar="ADDRESS", action="append", type=_address, help="do not count this client; repeatable"
    )
    parser.add_argument("--provider", metavar="URL", help="send texts by a provider that speaks JSON (to the outbox)")
    parser.add_argument("--sms-rate", metavar="RATE", help="how fast text messages leave, such as 10/1s (at once)")
    parser.add_argument(
        "--instance", metavar="DIR", type=_absolute, default=Path("instance").absolute(), help="where data is kept"
    )
    parser.add_argument(
        "--rotate-secret", action="store_true", default=None, help="begin a new secret; the one before it is still read"
    )
    _add_weaknesses(parser)
    return parser


def _add_weaknesses(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--clock-offset",
        metavar="SECONDS",
        type=int,
        help="put the demo's clock wrong, as on a machine that lost its time server (loopback only)",
    )
    parser.add_argument("--unguarded", action="store_true", help="take every defense away (loopback only)")
    parser.add_argument(
        "--without",
        metavar="DEFENSE",
        action="append",
        choices=[defense.name for defense in DEFENSES],
        help="take one defense away; repeatable (loopback only)",
    )


def _absolute(text: str) -> Path:
    return Path(text).absolute()


def _address(text: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError:
        raise argparse.ArgumentTypeError("must be an IP address") from None


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
