"""Exit codes: what a command's end tells the shell."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ended. ``UNUSABLE`` is also what argparse exits with for a wrong command line."""

    FINE = 0
    DOUBTFUL = 1
    UNUSABLE = 2
