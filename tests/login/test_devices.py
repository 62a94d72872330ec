"""Known devices: served while strangers burn the account, and no ticket for anything else."""

from __future__ import annotations

from authguard.clock import SECOND, ManualClock
from authguard.guard.ruling import Refusal
from authguard.limits import Decision, Plan
from authguard.login.devices import COOKIE, MOST_COOKIES, REVOKED
from authguard.login.door import Visit
from authguard.stores.memory import MemoryStore
from tests.login.door_rig import Browser, DoorRig


class CountingStore(MemoryStore):
    """A store that counts how often it is asked anything."""

    calls = 0

    def decide(self, plan: Plan) -> Decision:
        self.calls += 1
        return super().decide(plan)

    def now(self) -> int:
        self.calls += 1
        return super().now()


def test_the_owner_s_device_gets_in_while_strangers_burn_the_account(rig: DoorRig, owner: Browser) -> None:
    rig.burn()
    assert not rig.log_in(Browser()).allowed
    assert rig.log_in(owner).allowed


def test_a_stolen_cookie_buys_five_guesses_and_no_more(rig: DoorRig, owner: Browser) -> None:
    thief = owner.copy()
    passed = [rig.guess(f"wrong{n}", thief, ip=f"203.0.113.{n}").allowed for n in range(40)]
    assert sum(passed) == 5


def test_a_stolen_cookie_buys_five_guesses_under_all_names_of_the_account_together(rig: DoorRig) -> None:
    names = [f"email:name{n}@example.com" for n in range(4)]
    browser = Browser()
    rig.log_in(browser, account=names[0], behind="account:1")
    tried = [
        rig.guess(f"wrong{n}", browser.copy(), account=name, behind="account:1", ip=f"203.0.113.{n}")
        for name in names
        for n in range(5)
    ]
    assert [attempt.allowed for attempt in tried] == [True] * 5 + [False] * 15


def test_a_known_device_is_told_of_its_own_failures_under_another_name_and_not_that_its_password_is_wrong(
    rig: DoorRig,
) -> None:
    browser = Browser()
    rig.log_in(browser, behind="account:1")
    for number in range(5):
        assert rig.guess(f"wrong{number}", browser, behind="account:1").allowed
    other = rig.begin("right", browser, account="username:owner", behind="account:1")
    assert (other.allowed, other.blind) == (False, False)


def test_a_browser_with_its_newest_cookie_logs_in_thirty_times_and_no_more(rig: DoorRig, owner: Browser) -> None:
    assert [rig.log_in(owner, ip="203.0.113.9").allowed for _ in range(32)] == [True] * 30 + [False] * 2
    assert rig.log_in(owner).allowed


def test_the_one_who_was_robbed_still_gets_in_without_the_cookie(rig: DoorRig, owner: Browser) -> None:
    for number in range(10):
        rig.guess(f"wrong{number}", owner.copy(), ip=f"203.0.113.{number}")
    assert rig.log_in(Browser()).allowed


def test_a_forged_cookie_is_like_none(rig: DoorRig, owner: Browser) -> None:
    (name,) = owner.jar
    rig.burn()
    told = set()
    for forged in ("", "x", owner.jar[name][:-1], owner.jar[name] + "A", "A" * 5000, "é", owner.jar[name].swapcase()):
        browser = Browser()
        browser.jar[name] = forged
        refused = rig.guess("wrong", browser, ip="203.0.113.9").refused
        assert refused is not None
        told.add((refused.refusal, refused.retry_after))
    plain = rig.guess("wrong", ip="203.0.113.9").refused
    assert plain is not None
    assert told == {(plain.refusal, plain.retry_after)}


def test_a_cookie_is_useless_on_another_account(rig: DoorRig, owner: Browser) -> None:
    attacker = Browser()
    rig.log_in(attacker, account="email:attacker@example.com")
    (own_name,), (victim_name,) = attacker.jar, owner.jar
    assert own_name != victim_name
    attacker.jar = dict.fromkeys((own_name, victim_name), attacker.jar[own_name])
    rig.burn()
    refused = rig.guess("wrong", attacker).refused
    assert refused is not None
    assert refused.refusal is Refusal.CHALLENGE


def test_an_alias_that_shares_the_counting_key_shares_no_device(rig: DoorRig) -> None:
    alias = Browser()
    rig.log_in(alias, behind="account:2")
    assert rig.devices.recognise("account:2", alias.jar) is not None
    assert rig.devices.recognise("account:1", alias.jar) is None
    rig.burn(behind="account:1")
    assert not rig.guess("wrong", alias, behind="account:1").allowed


def test_a_cookie_that_was_there_before_never_becomes_the_account_s_device(rig: DoorRig) -> None:
    planted, victim = Browser(), Browser()
    rig.log_in(planted, account="email:attacker@example.com")
    victim.jar = dict(planted.jar)
    rig.log_in(victim)
    rig.burn()
    assert not rig.guess("wrong", planted).allowed
    before = set(planted.jar.values())
    (fresh,) = [value for value in victim.jar.values() if value not in before]
    again = rig.devices.recognise("typed:email:owner@example.com", victim.jar)
    assert again is not None
    rig.log_in(victim)
    later = rig.devices.recognise("typed:email:owner@example.com", victim.jar)
    assert later is not None
    assert later.id != again.id
    assert fresh not in victim.jar.values()


def test_a_clock_set_back_voids_no_device(rig: DoorRig, owner: Browser) -> None:
    rig.clock.advance(-3600 * SECOND)
    rig.burn()
    assert rig.log_in(owner).allowed


def test_a_browser_keeps_few_cookies_and_drops_the_oldest(rig: DoorRig) -> None:
    browser = Browser()
    names = []
    for number in range(MOST_COOKIES + 4):
        rig.log_in(browser, account=f"email:user{number}@example.com", ip=f"192.0.{number}.1")
        names.append(next(reversed(browser.jar)))
        rig.clock.advance(SECOND)
    assert set(browser.jar) == set(names[-MOST_COOKIES:])


def test_broken_cookies_are_swept_out_at_the_next_login_and_others_left_alone(rig: DoorRig) -> None:
    browser = Browser()
    browser.jar = {f"__Host-authguard-{n:010x}": "broken" for n in range(30)} | {
        "session": "s",
        "__Host-authguard-x": "y",
    }
    rig.log_in(browser)
    assert {"session", "__Host-authguard-x"} < set(browser.jar)
    assert len(browser.jar) == 3


def test_a_cookie_names_nobody(rig: DoorRig, owner: Browser) -> None:
    ((name, value),) = owner.jar.items()
    assert COOKIE.fullmatch(name)
    assert "owner" not in name + value
    assert len(value) < 200


def calls(rig: DoorRig, browser: Browser | None) -> int:
    assert isinstance(rig.store, CountingStore)
    rig.store.calls = 0
    assert rig.begin("guess", browser, ip="192.0.2.99").allowed
    return rig.store.calls


def test_a_login_is_one_store_call_with_and_without_a_device() -> None:
    clock = ManualClock()
    rig = DoorRig(store=CountingStore(clock))
    browser = Browser()
    rig.log_in(browser)
    assert (calls(rig, None), calls(rig, browser)) == (1, 1)
    clock.advance(1)
    rig.devices.revoke("typed:email:owner@example.com")
    assert calls(rig, browser) == 2


def test_where_no_lane_is_kept_for_devices_none_is_known(rig: DoorRig, owner: Browser) -> None:
    device = rig.devices.recognise("typed:email:owner@example.com", owner.jar)
    asked = rig.door.count("signup", Visit(rig.subject(), device))
    assert not asked.known
    assert asked.decision is not None
    assert REVOKED not in asked.decision.remaining


def test_a_device_s_login_clears_its_own_failures_wherever_it_is(rig: DoorRig, owner: Browser) -> None:
    for number in range(4):
        assert rig.guess(f"wrong{number}", owner, ip=f"203.0.113.{number}").allowed
    thief = owner.copy()
    assert rig.log_in(owner, ip="192.0.2.200").allowed
    assert sum(rig.guess(f"again{number}", thief).allowed for number in range(9)) == 5
