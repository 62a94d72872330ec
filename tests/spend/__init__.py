"""Tests of the spend ledger: on every store, in a time that the tests set."""
