"""The guard: policies, identity and store put together; what a framework's extension drives."""

from authguard.guard.attempt import Attempt
from authguard.guard.guard import Guard, Watch
from authguard.guard.ruling import Answerable, Offer
from authguard.guard.seal import Seal
from authguard.guard.waiting import WaitingRoom

__all__ = ["Answerable", "Attempt", "Guard", "Offer", "Seal", "WaitingRoom", "Watch"]
