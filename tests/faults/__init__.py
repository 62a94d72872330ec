"""Tests of what happens when the store fails: on real servers that are killed, stopped, filled up and cut off."""
