"""Every attack is proven: it wins without its defense and loses with it, on real servers."""

from __future__ import annotations

import pytest

from attacks.attack import Attack
from attacks.catalog import ATTACKS
from attacks.o9_readable import READABLE
from attacks.runner import prove
from attacks.target import OWN_REDIS
from demo_app.defenses import DEFENSES

TIMED = [attack for attack in ATTACKS if attack.setup.timed]
OTHERS = [attack for attack in ATTACKS if not attack.setup.timed]


@pytest.mark.serial
@pytest.mark.timeout(300)
@pytest.mark.parametrize("attack", TIMED, ids=lambda attack: attack.name)
def test_the_timed_attack_is_proven(attack: Attack) -> None:
    assert_proven(attack)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("attack", OTHERS, ids=lambda attack: attack.name)
def test_the_attack_is_proven(attack: Attack) -> None:
    assert_proven(attack)


def assert_proven(attack: Attack) -> None:
    proof = prove(attack, None, lambda text: None)
    assert proof.proven, f"without it: {proof.undefended.text}; with it: {proof.defended.text}"


@pytest.mark.serial
@pytest.mark.timeout(300)
def test_nothing_can_be_read_in_a_redis_either() -> None:
    proof = prove(READABLE, OWN_REDIS, lambda text: None)
    assert proof.proven, f"without it: {proof.undefended.text}; with it: {proof.defended.text}"


def test_every_defense_of_the_demo_is_attacked() -> None:
    assert {attack.defense for attack in ATTACKS} == {defense.name for defense in DEFENSES}


def test_no_count_wins_and_loses() -> None:
    assert [attack.name for attack in ATTACKS if attack.criterion.wins <= attack.criterion.loses[1]] == []


def test_every_attack_has_a_name_of_its_own() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


def test_they_are_told_family_by_family_and_in_the_order_of_their_numbers() -> None:
    families = list(dict.fromkeys(attack.name[0] for attack in ATTACKS))
    names = [attack.name for attack in ATTACKS]
    assert names == sorted(names, key=lambda name: (families.index(name[0]), int(name[1:])))
