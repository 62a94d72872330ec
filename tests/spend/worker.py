"""Worker: a process that spends, and is killed at it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from threading import Event

from authguard.spend import SpendDenied
from authguard.stores import Store
from tests.spend.desk import ledger_over

PATIENCE = 60
_SPAWN = multiprocessing.get_context("spawn")


def work(elsewhere: Callable[[], Store], to: str, key: str, dispatches: bool, pipe: Connection) -> None:
    """Reserve, dispatch if told to, say so, and hang in the provider's call for ever."""
    with ledger_over(elsewhere()).reserve("sms", to, key) as reservation:
        try:
            sent = dispatches and reservation.dispatch()
        except SpendDenied:
            sent = False
        pipe.send(sent)
        Event().wait()


def kill_at_work(elsewhere: Callable[[], Store], to: str, key: str, dispatches: bool) -> bool:
    """Start a worker and kill it once it has reserved, or dispatched; return whether it called the provider."""
    here, there = _SPAWN.Pipe()
    process = _SPAWN.Process(target=work, args=(elsewhere, to, key, dispatches, there))
    process.start()
    try:
        assert here.poll(PATIENCE), "the worker never came so far"
        sent: bool = here.recv()
    finally:
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join(PATIENCE)
    assert process.exitcode == -signal.SIGKILL
    return sent
