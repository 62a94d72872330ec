"""Work: what a check computes, counted by the interpreter's profiler instead of a clock."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType


@dataclass
class Work:
    """The hashes computed, each with its parameters, and the functions of the library called, in order."""

    hashes: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)

    def record(self, frame: FrameType, event: str, arg: object) -> None:
        """Take one event of :func:`sys.setprofile`."""
        function = frame.f_code.co_name
        if event == "call" and "/authguard/" in frame.f_code.co_filename:
            self.calls.append(frame.f_code.co_qualname)
        if event == "call" and function == "verify_secret":
            self.hashes.append(frame.f_locals["hash"].decode("ascii", "replace").rpartition("$")[0].rpartition("$")[0])
        elif event == "call" and function == "_hash_internal":
            self.hashes.append(frame.f_locals["method"])
        elif event == "c_call" and getattr(arg, "__name__", "") == "checkpw":
            self.hashes.append(frame.f_locals["stored"][:7])


def count_work(action: Callable[[], object]) -> Work:
    """Run ``action`` and return its work; whatever it raises is not caught."""
    work = Work()
    sys.setprofile(work.record)
    try:
        action()
    finally:
        sys.setprofile(None)
    return work
