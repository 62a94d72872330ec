"""Tests of the Redis store, on real servers."""
