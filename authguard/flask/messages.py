"""Messages: how an application's messages leave, and the codes that are built on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from authguard.delivery import Channel, Deliver, Pace, Route, Sender, Spending
from authguard.errors import ConfigurationError
from authguard.events import Observer
from authguard.flask.config import Config
from authguard.guard import Guard
from authguard.otp import EnglishWording, Foundation, Ladders, LinkTemplate, Wording
from authguard.otp.codes import Codes
from authguard.otp.ladders import MESSAGE
from authguard.otp.rules import read_rules
from authguard.policy import Planner
from authguard.spend import Ledger
from authguard.stores import Store
from authguard.stores.resilient import ResilientStore


@dataclass(frozen=True, slots=True)
class Messages:
    """What :class:`~authguard.flask.AuthGuard` needs to send messages.

    ``link`` is where the links in them lead, as in ``https://example.com/continue/{token}``. ``mail`` and ``sms``
    deliver what goes over each channel (one of them may be left out), at most ``mail_rate`` and ``sms_rate``,
    such as ``"10/1s"``, from all processes together. ``wording`` writes them (plain English under the application's
    name, unless given). ``spending`` keeps the money: the ledger of ``[spend]`` in the TOML, unless given. In each
    process ``capacity`` messages of each channel may wait for ``threads`` threads.
    """

    link: str
    mail: Deliver | None = None
    sms: Deliver | None = None
    mail_rate: str | None = None
    sms_rate: str | None = None
    wording: Wording | None = None
    spending: Spending | None = None
    capacity: int = 1000
    threads: int = 2

    def routes(self, store: Store, namespace: str) -> Iterator[tuple[Channel, Route]]:
        """Yield the ways that there are; raises ``ConfigurationError`` where there is none, or a rate of none."""
        if self.mail is None and self.sms is None:
            raise ConfigurationError("nothing delivers messages; give Messages mail=, sms= or both")
        for channel, deliver, rate in (
            (Channel.MAIL, self.mail, self.mail_rate),
            (Channel.SMS, self.sms, self.sms_rate),
        ):
            if deliver is not None:
                yield channel, Route(deliver, Pace(store, f"{namespace}:{channel}", rate) if rate else None)
            elif rate is not None:
                raise ConfigurationError(f"{channel}_rate is given, but nothing delivers over {channel}")


@dataclass(frozen=True, slots=True)
class Ground:
    """What the codes of an application stand on."""

    config: Config
    guard: Guard
    planner: Planner
    store: Store
    resilient: ResilientStore
    observer: Observer
    ledger: Ledger
    region: str | None


def build_codes(name: str, messages: Messages, ground: Ground) -> Codes:
    """Return the codes of the application ``name``; raises ``ConfigurationError``."""
    config, settings = ground.config, ground.config.file
    spending = messages.spending or ground.ledger
    sender = Sender(
        dict(messages.routes(ground.store, config.namespace)),
        ground.observer,
        spending,
        capacity=messages.capacity,
        threads=messages.threads,
    )
    foundation = Foundation(
        ground.guard,
        ground.resilient,
        config.pseudonymizer,
        config.seal("otp"),
        config.seal("otp-link"),
        Ladders(ground.planner, ground.guard.policy(MESSAGE)),
        read_rules(settings.codes),
        ground.observer,
        spending,
        settings.identity.email_rules,
        ground.region,
    )
    wording = messages.wording or EnglishWording(name)
    return Codes.build(foundation, sender, wording, LinkTemplate(messages.link))
