"""Attacks: what the detector and the notices tell, as log records and as metrics; a part of both observers."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from authguard.events import AlarmEnded, AlarmRaised, Event, OwnerNotice, PasswordChecked

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry


def log_attack(logger: logging.Logger, event: Event) -> None:
    """Log ``event`` if it is one of these."""
    match event:
        case AlarmRaised():
            unknown = "" if event.unknown is None else f"; {event.unknown:.0%} of the names tried are nobody's"
            sentence = "%s: %d accounts fail and %d come through; strangers are asked for a challenge%s"
            logger.warning(sentence, event.policy, event.failing, event.succeeding, unknown)
        case AlarmEnded():
            logger.warning("%s: few accounts fail again; the alarm has ended", event.policy)
        case OwnerNotice():
            sentence = "%s: the tries of account %s are used up (%s); its owner is told"
            logger.info(sentence, event.policy, event.account, ", ".join(event.layers))


class AttackMetrics:
    """Counts alarms, notices, and what password checks found."""

    def __init__(self, registry: CollectorRegistry) -> None:
        import prometheus_client

        counter = prometheus_client.Counter
        self._alarms = counter("login_alarms", "Alarms raised and ended.", ["policy", "turn"], registry=registry)
        self._notices = counter(
            "owner_notices", "Owners told of tries on their account.", ["policy"], registry=registry
        )
        self._passwords = counter(
            "passwords_checked", "Passwords checked, by what was found.", ["outcome"], registry=registry
        )

    def observe(self, event: Event) -> None:
        """Count ``event`` if it is one of these."""
        match event:
            case AlarmRaised():
                self._alarms.labels(event.policy, "raised").inc()
            case AlarmEnded():
                self._alarms.labels(event.policy, "ended").inc()
            case OwnerNotice():
                self._notices.labels(event.policy).inc()
            case PasswordChecked():
                self._passwords.labels(event.outcome).inc()
