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
    SpendAlarm,
    SpendRefused,
    StoreFaulted,
    StoreRecovered,
    StoreSuspended,
)
from authguard.observe.attacks import log_attack


class LogObserver:
    """Writes events to ``logger`` (``authguard``, unless given another).

    Denials and refused requests are INFO: they are everyday. Faults, shadow denials' reason to exist, and wrong
    set-ups are WARNING.
    """

    skips_admissions = True

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
            case MessageWithheld() | MessageFailed() | SpendRefused() | SpendAlarm():
                self._log_sending(event)
            case Misconfigured(news=True):
                self._logger.warning("%s: %s", event.code, event.advice)
            case _:
                log_attack(self._logger, event)

    def _log_sending(self, event: MessageWithheld | MessageFailed | SpendRefused | SpendAlarm) -> None:
        match event:
            case MessageFailed():
                self._logger.warning("%s: message by %s failed (%s)", event.purpose, event.channel, event.fault)
            case MessageWithheld():
                self._logger.info("%s: no message by %s (%s)", event.purpose, event.channel, event.reason)
            case SpendRefused():
                self._logger.info("%s: nothing spent on %s (%s)", event.channel, event.lane, event.reason)
            case SpendAlarm():
                sentence = "%s: strangers in %s get nothing for a while: %d messages went unused, where %d may"
                self._logger.warning(sentence, event.channel, event.region, event.unwanted, event.allowed)
