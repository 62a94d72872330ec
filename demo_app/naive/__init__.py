"""Naive code that stands in where a defense is taken away: each piece makes one mistake that people really make.

Nothing here is for use. authguard has no switch that weakens it, so the mistakes live in the demo.
"""
