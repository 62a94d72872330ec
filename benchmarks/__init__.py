"""Benchmarks: what a decision costs, measured against the same work done by others and by nobody."""
