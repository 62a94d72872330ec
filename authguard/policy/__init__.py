"""Policies: what protects one action, as frozen values; presets, TOML on top of them, and a check of the result."""

from authguard.policy.check import Finding, Severity, check_policies
from authguard.policy.model import FailMode, Lane, Layer, Policy, Scope
from authguard.policy.planner import Planner, Subject
from authguard.policy.presets import PRESETS
from authguard.policy.toml import load_policies

__all__ = [
    "PRESETS",
    "FailMode",
    "Finding",
    "Lane",
    "Layer",
    "Planner",
    "Policy",
    "Scope",
    "Severity",
    "Subject",
    "check_policies",
    "load_policies",
]
