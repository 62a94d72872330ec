"""Server: the demo under gunicorn, with several workers."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from gunicorn.app.base import BaseApplication

from demo_app.app import create_app
from demo_app.options import Options


class Server(BaseApplication):
    """Gunicorn with the demo in it; each worker makes an application of its own, after the fork."""

    def __init__(self, options: Options) -> None:
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        """Tell gunicorn what the options say."""
        options = self._options
        host = f"[{options.host}]" if ":" in options.host else options.host
        settings: dict[str, Any] = {
            "bind": f"{host}:{options.port}",
            "workers": options.workers,
            "worker_class": "gthread",
            "threads": options.threads,
            "graceful_timeout": 5,
            "loglevel": "warning",
            "control_socket_disable": True,
            "when_ready": self._announce,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Return the application (a ``Flask``) of this worker."""
        return create_app(self._options)

    def _announce(self, arbiter: Any) -> None:
        host, port = arbiter.LISTENERS[0].sock.getsockname()[:2]
        # The workers are forked after this: the links in their messages lead to the port that was really taken.
        self._options = replace(self._options, port=port)
        print(f"Lantern is open at http://{f'[{host}]' if ':' in host else host}:{port}/", flush=True)


def warn_of_gaps(options: Options) -> None:
    """Print which defenses are off, and whether the clock is."""
    if options.unguarded:
        print("UNGUARDED: every defense is off. Loopback only.", file=sys.stderr, flush=True)
    for name in options.without:
        print(f"WITHOUT {name}: naive code stands in for it. Loopback only.", file=sys.stderr, flush=True)
    if options.clock_offset:
        print(f"CLOCK WRONG by {options.clock_offset} s. Loopback only.", file=sys.stderr, flush=True)
