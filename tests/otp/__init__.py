"""Tests of the one-time codes."""
