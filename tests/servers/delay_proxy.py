"""Delay proxy: stands between a client and a server, and makes the way between them bad."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from enum import StrEnum
from threading import Thread
from types import TracebackType
from typing import Any, Self

CHUNK = 65_536


class Road(StrEnum):
    """What becomes of bytes: ``GOOD`` ones arrive, ``SLOW`` ones late, ``DARK`` ones never; the connection is kept.

    ``CUT`` ends every connection, old and new. ``FOREIGN`` answers what no Redis would.
    """

    GOOD = "good"
    SLOW = "slow"
    DARK = "dark"
    CUT = "cut"
    FOREIGN = "foreign"


class DelayProxy:
    """Passes what comes to its ``port`` on to ``target``, another port of this machine.

    ``delay`` is how many seconds a ``SLOW`` road takes in each direction. What is under way when the road changes is
    still delivered.
    """

    def __init__(self, target: int, delay: float = 0.5) -> None:
        self.port = 0
        self._target = target
        self._delay = delay
        self._road = Road.GOOD
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._server: asyncio.Server | None = None

    def change(self, road: Road) -> None:
        """Make the road good or bad, for the connections that there are too."""
        self._run(self._change(road))

    def __enter__(self) -> Self:
        self._thread.start()
        self._run(self._start())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def _run(self, action: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(action, self._loop).result(10)

    async def _start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        if self._server is not None:
            self._server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _change(self, road: Road) -> None:
        self._road = road
        if road is Road.CUT:
            for writer in self._writers:
                writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.CancelledError):
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
            self._writers |= {writer, back}
            try:
                if self._road is not Road.CUT:
                    await asyncio.gather(self._carry(reader, back), self._carry(there, writer, answers=True))
            finally:
                self._writers -= {writer, back}
                writer.close()
                back.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answers: bool = False) -> None:
        while data := await reader.read(CHUNK):
            if self._road is Road.SLOW:
                await asyncio.sleep(self._delay)
            if self._road is Road.DARK:
                continue
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n" if answers and self._road is Road.FOREIGN else data)
            await writer.drain()
        writer.close()
