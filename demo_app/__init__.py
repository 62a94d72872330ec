"""Lantern: a small application with accounts, guarded by authguard, that a person and a script can use."""
