"""Observers that come with authguard: sinks for its events."""

from authguard.observe.log import LogObserver
from authguard.observe.observers import Observers

__all__ = ["LogObserver", "Observers"]
