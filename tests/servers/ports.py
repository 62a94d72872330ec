"""Ports: numbers that nobody listens on."""

from __future__ import annotations

import random
import socket

BUS = 10_000
"""What Redis Cluster adds to a node's port for the nodes' own traffic."""


def free_port() -> int:
    """Return a loopback port that is free, and whose cluster bus port is free too.

    Below the range from which the kernel gives out ports by itself, so that no client takes it in between.
    """
    while True:
        port = random.randrange(10_000, 22_000)
        with socket.socket() as one, socket.socket() as other:
            try:
                one.bind(("127.0.0.1", port))
                other.bind(("127.0.0.1", port + BUS))
            except OSError:
                continue
            return port
