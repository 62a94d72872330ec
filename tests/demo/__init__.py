"""Tests of the demo: its pages, its options, its naive pieces, and the server it runs in."""
