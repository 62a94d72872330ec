"""Servers: real ones, started for the tests on free loopback ports and stopped with them."""
