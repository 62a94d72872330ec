"""Tests of the delivery room."""
