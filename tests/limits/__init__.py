"""Tests of the arithmetic of counting: pure functions against worked numbers and naive models."""
