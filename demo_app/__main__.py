"""Starts the demo: ``python -m demo_app``."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from authguard.errors import ConfigurationError
from demo_app.app import prepare
from demo_app.clock import put_clock_wrong
from demo_app.keyring import rotate_secret
from demo_app.options import parse_options
from demo_app.server import Server, warn_of_gaps


def main() -> int:
    """Serve until a signal comes; return the process's exit status."""
    options = parse_options()
    put_clock_wrong(options.clock_offset)
    if options.rotate_secret:
        rotate_secret(options.instance)
    try:
        # In a process of its own: an open SQLite file may not be carried across a fork (sqlite.org/howtocorrupt.html).
        with ProcessPoolExecutor(1, get_context("fork")) as executor:
            executor.submit(prepare, options).result()
    except ConfigurationError as error:
        print(f"demo_app: {error}", file=sys.stderr)
        return 2
    warn_of_gaps(options)
    Server(options).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
