"""The log: denials, faults and wrong set-ups as log records, without anything personal."""

from __future__ import annotations

import logging

from authguard.events import (
    Decided,
    Event,
    MessageFailed,
    MessageWithheld,
    Misconfigured,
    Refused,
    StoreFaulted,
    StoreRecovered,
    StoreSuspended,
)


class LogObserver:
    """Writes events to ``logger`` (``authguard``, unless given another).

    Denials and refused requests are INFO: they are everyday. Faults, shadow denials' reason to exist, and wrong
    set-ups are WARNING.
    """

    def __init__(self, logger: logging.Logger | None = None) -> None:
        self._logger = logger or logging.getLogger("authguard")

    def observe(self, event: Event) -> None:
        """Log ``event`` if it is one that somebody would look for."""
        match event:
            case Decided(verdict="allow", shadow_denied=()):
                return
            case Decided(verdict="allow"):
                layers = ", ".join(event.shadow_denied)
                self._logger.info("%s: allowed, but shadow layers would have denied: %s", event.policy, layers)
            case Decided():
                self._logger.info("%s: %s by %s", event.policy, event.verdict, ", ".join(event.denied))
            case Refused():
                self._logger.info("%s: refused with 400 (%s)", event.policy, event.code)
            case StoreFaulted():
                self._logger.warning("store %s: %s during %s", event.backend, event.fault, event.operation)
            case StoreSuspended():
                self._logger.warning("store %s is down; one call every %g s tries it", event.backend, event.seconds)
            case StoreRecovered():
                self._logger.warning("store %s answers again", event.backend)
            case MessageWithheld() | MessageFailed():
                self._log_message(event)
            case Misconfigured(news=True):
                self._logger.warning("%s: %s", event.code, event.advice)
            case _:
                return

    def _log_message(self, event: MessageWithheld | MessageFailed) -> None:
        if isinstance(event, MessageFailed):
            self._logger.warning("%s: message by %s failed (%s)", event.purpose, event.channel, event.fault)
        else:
            self._logger.info("%s: no message by %s (%s)", event.purpose, event.channel, event.reason)
