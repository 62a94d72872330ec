"""Observers that come with authguard: sinks for its events."""

from authguard.observe.log import LogObserver

__all__ = ["LogObserver"]
