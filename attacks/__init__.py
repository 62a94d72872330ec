"""Attacks: each runs over HTTP against the demo twice, and must win without its defense and lose with it."""
