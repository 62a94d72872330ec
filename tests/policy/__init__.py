"""Tests of the policies: presets, TOML, planner, check."""
