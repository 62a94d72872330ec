"""What the tests of logins start from."""

from __future__ import annotations

import pytest

from tests.login.door_rig import Browser, DoorRig


@pytest.fixture
def rig() -> DoorRig:
    return DoorRig()


@pytest.fixture
def owner(rig: DoorRig) -> Browser:
    """A browser that the owner's account knows."""
    browser = Browser()
    assert rig.log_in(browser).allowed
    return browser
