"""Tests of the login room."""
