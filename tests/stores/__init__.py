"""Tests of the stores: one contract for all, and what each has of its own."""
