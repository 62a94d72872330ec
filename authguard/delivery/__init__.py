"""Delivery: messages leave in the background, bounded, paced, paid for, and never lost without a word."""

from authguard.delivery.deliver import Deliver, NotDelivered
from authguard.delivery.dispatch import Route
from authguard.delivery.job import Job
from authguard.delivery.message import Channel, Message
from authguard.delivery.pacing import Pace
from authguard.delivery.sender import Sender
from authguard.delivery.spending import Free, Reservation, Spending, Withheld

__all__ = [
    "Channel",
    "Deliver",
    "Free",
    "Job",
    "Message",
    "NotDelivered",
    "Pace",
    "Reservation",
    "Route",
    "Sender",
    "Spending",
    "Withheld",
]
