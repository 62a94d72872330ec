"""Tests of the attacks: each is proven both ways, and the runner tells when one is not."""
