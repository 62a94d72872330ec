"""How a device ends: revoked, outdated, or under a secret that has been retired."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from authguard.clock import SECOND
from authguard.errors import StoreError
from authguard.events import Decided
from authguard.guard import Seal
from authguard.guard.ruling import Refusal
from authguard.identity import Pseudonymizer
from authguard.login.devices import DEVICE_LIFE, Devices
from tests.guard.rig import DeadStore
from tests.login.door_rig import SECRET, Browser, DoorRig

DAY = 86_400 * SECOND


def test_revoking_makes_every_device_a_stranger_s_and_a_later_one_known(rig: DoorRig, owner: Browser) -> None:
    other = Browser()
    rig.log_in(other, ip="203.0.113.77")
    rig.clock.advance(SECOND)
    rig.devices.revoke("typed:email:owner@example.com")
    rig.burn()
    for browser in (owner, other):
        refused = rig.guess("wrong", browser).refused
        assert refused is not None
        assert refused.refusal is Refusal.CHALLENGE
    rig.clock.advance(16 * 60 * SECOND)
    assert rig.log_in(owner).allowed
    rig.burn()
    assert rig.log_in(owner).allowed


def test_a_device_made_at_the_very_moment_of_the_revocation_stays(rig: DoorRig) -> None:
    browser = Browser()
    own_id = "typed:email:owner@example.com"
    revoked_at = rig.devices.revoke(own_id)
    for crumb in rig.devices.mint(own_id, revoked_at, ()):
        browser.jar[crumb.name] = crumb.value
    rig.burn()
    assert rig.log_in(browser).allowed


def test_a_login_that_began_before_a_revocation_leaves_no_device(rig: DoorRig) -> None:
    slow = rig.begin("right", Browser())
    rig.clock.advance(1)
    rig.devices.revoke("typed:email:owner@example.com")
    slow.succeed()
    assert slow.decision is not None
    browser = Browser()
    for crumb in rig.devices.mint("typed:email:owner@example.com", slow.decision.reply.now, ()):
        browser.jar[crumb.name] = crumb.value
    rig.burn()
    assert not rig.log_in(browser).allowed


def test_the_latest_revocation_counts(rig: DoorRig) -> None:
    own_id = "typed:email:owner@example.com"
    for _ in range(3):
        rig.devices.revoke(own_id)
        rig.clock.advance(40 * DAY)
    browser = Browser()
    rig.log_in(browser)
    rig.clock.advance(DAY)
    rig.devices.revoke(own_id)
    rig.burn()
    assert not rig.log_in(browser).allowed


def test_revocations_and_logins_side_by_side_leave_no_old_device(rig: DoorRig, owner: Browser) -> None:
    own_id = "typed:email:owner@example.com"
    rig.clock.advance(SECOND)
    with ThreadPoolExecutor(8) as pool:
        revocations = [pool.submit(rig.devices.revoke, own_id) for _ in range(10)]
        logins = [pool.submit(rig.log_in, owner.copy()) for _ in range(10)]
    assert all(run.result() == rig.clock.now() for run in revocations)
    assert any(run.result().allowed for run in logins)
    rig.burn()
    assert not rig.guess("wrong", owner).allowed


def test_a_device_that_did_not_come_back_for_its_life_is_forgotten(rig: DoorRig, owner: Browser) -> None:
    rig.clock.advance(DEVICE_LIFE - 1)
    rig.burn()
    assert rig.guess("wrong", owner.copy()).allowed
    rig.clock.advance(1)
    assert not rig.guess("another", owner.copy()).allowed


def test_an_outdated_cookie_guesses_among_the_strangers(rig: DoorRig, owner: Browser) -> None:
    rig.clock.advance(DEVICE_LIFE)
    passed = [rig.guess(f"wrong{n}", owner.copy(), ip=f"203.0.{n}.7").allowed for n in range(20)]
    assert passed == [True] * 5 + [False] * 15
    assert not rig.log_in(ip="198.51.100.9").allowed


def devices_of(rig: DoorRig, current: bytes, *previous: bytes) -> Devices:
    seal = Seal([current, *previous], app="test", purpose="device")
    return Devices(Pseudonymizer(current, app="test", previous=previous), seal, rig.resilient)


def test_a_rotated_secret_keeps_devices_and_a_retired_one_loses_them(rig: DoorRig, owner: Browser) -> None:
    new = b"n" * 32
    rotated = devices_of(rig, new, SECRET)
    device = rotated.recognise("typed:email:owner@example.com", owner.jar)
    assert device is not None
    assert device.at == rig.clock.now()
    (name,) = owner.jar
    crumbs = {crumb.name: crumb for crumb in rotated.mint(device.own_id, rig.clock.now(), owner.jar.items())}
    assert crumbs.pop(name).life == 0
    assert [crumb.life for crumb in crumbs.values()] == [DEVICE_LIFE // SECOND]
    assert devices_of(rig, new).recognise(device.own_id, owner.jar) is None


def test_a_revocation_outlives_a_rotation(rig: DoorRig, owner: Browser) -> None:
    rig.clock.advance(1)
    rig.devices.revoke("typed:email:owner@example.com")
    rotated = devices_of(rig, b"n" * 32, SECRET)
    device = rotated.recognise("typed:email:owner@example.com", owner.jar)
    assert device is not None
    asks = rig.guard.count("login", device.take(rig.subject()), (rotated.look(device),))
    assert rotated.is_void(device, asks)


def test_what_could_not_be_revoked_is_said() -> None:
    with pytest.raises(StoreError):
        DoorRig(store=DeadStore()).devices.revoke("account:1")


def test_a_revocation_is_no_layer_that_would_have_denied(rig: DoorRig, owner: Browser) -> None:
    rig.devices.revoke("typed:email:owner@example.com")
    rig.clock.advance(1)
    rig.log_in(owner)
    assert rig.log_in(owner).allowed
    assert {event.shadow_denied for event in rig.recorder.events if isinstance(event, Decided)} == {()}


def test_a_void_device_s_try_is_given_back(rig: DoorRig, owner: Browser) -> None:
    rig.clock.advance(1)
    rig.devices.revoke("typed:email:owner@example.com")
    device = rig.devices.recognise("typed:email:owner@example.com", owner.jar)
    assert device is not None
    for number in range(4):
        rig.guess(f"wrong{number}", owner)
    left = rig.guard.foresee("login", device.take(rig.subject()), rig.guard.policy("login").hold)
    assert left is not None
    assert left.remaining["account-known"] == 4
