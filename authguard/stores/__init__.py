"""Stores: where counters live. Each decides a whole plan in one atomic call, and charges all of it or nothing."""

from authguard.stores.base import Store
from authguard.stores.url import open_store

__all__ = ["Store", "open_store"]
