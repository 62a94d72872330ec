"""What a request is told when it may not go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Refusal(StrEnum):
    """Why a request may not go on.

    ``RATE``: the client did too much (429). ``CHALLENGE``: the same, and a solved challenge would let it through.
    ``BUSY``: a pool everybody shares is used up, the store can't answer, or too many wait (503). ``COST``: more is
    asked for than could ever be allowed (400). ``IDENTITY``: an identifier is missing, doubled or broken (400).
    """

    RATE = "rate"
    CHALLENGE = "challenge"
    BUSY = "busy"
    COST = "cost"
    IDENTITY = "identity"


@dataclass(frozen=True, slots=True)
class Offer:
    """A challenge that the client may solve instead of waiting for its limits.

    ``kind`` says which (``delay``), ``token`` is what it sends back, alone or beside a solution, and ``wait`` in how
    many microseconds that will be accepted. ``data`` is what else a script needs to solve it.
    """

    kind: str
    token: str
    wait: int
    data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answerable:
    """A refusal with what its answer needs: ``retry_after`` in microseconds, and the policy's manners.

    ``code`` is for the client's developer: an identity error's code, or the refusal's own name. ``offer`` is the
    challenge that would let the request through.
    """

    refusal: Refusal
    retry_after: int
    sensitive: bool
    code: str
    offer: Offer | None = None
