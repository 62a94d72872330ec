"""Policies: what protects one action, as frozen values; presets, TOML on top of them, and a check of the result."""

from authguard.policy.check import check_policies
from authguard.policy.finding import Finding, Severity
from authguard.policy.identity_table import IdentitySettings
from authguard.policy.model import FailMode, Kind, Lane, Layer, Policy, Scope
from authguard.policy.planner import Planner, Subject
from authguard.policy.presets import PRESETS
from authguard.policy.settings import Settings
from authguard.policy.toml import load_policies, load_settings, merge_policies, read_policies

__all__ = [
    "PRESETS",
    "FailMode",
    "Finding",
    "IdentitySettings",
    "Kind",
    "Lane",
    "Layer",
    "Planner",
    "Policy",
    "Scope",
    "Settings",
    "Severity",
    "Subject",
    "check_policies",
    "load_policies",
    "load_settings",
    "merge_policies",
    "read_policies",
]
