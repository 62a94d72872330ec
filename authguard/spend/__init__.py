"""Spend: money that attackers would like to spend for us. Caps, reservations that survive everything, and breakers."""

from authguard.spend.balance import Balance
from authguard.spend.channel import CHANNELS, Breaker, Channel, Kind, budget
from authguard.spend.denial import Reason, SpendDenied
from authguard.spend.ledger import Ledger
from authguard.spend.reservation import Reservation
from authguard.spend.table import read_channels

__all__ = [
    "CHANNELS",
    "Balance",
    "Breaker",
    "Channel",
    "Kind",
    "Ledger",
    "Reason",
    "Reservation",
    "SpendDenied",
    "budget",
    "read_channels",
]
