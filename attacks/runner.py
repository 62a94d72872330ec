"""Runner: carries an attack out without its defense and with it, and says what that proves."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from attacks.attack import Attack
from attacks.client import Broken
from attacks.people import CAROL
from attacks.servers import ServerFailed, ServerMissing
from attacks.site import TargetFailed
from attacks.target import serve

Progress = Callable[[str], None]
TRIES = 3


@dataclass(frozen=True, slots=True)
class Side:
    """What an attack did on one side; ``count`` is ``None`` when it was not carried out, for the reason in ``text``.

    ``missing``: that reason is a server that is not installed.
    """

    count: int | None
    text: str
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Proof:
    """An attack carried out both ways; ``seconds`` is how long that took."""

    attack: Attack
    undefended: Side
    defended: Side
    seconds: float

    @property
    def proven(self) -> bool:
        """True when the attack won without the defense and lost with it."""
        criterion, without, within = self.attack.criterion, self.undefended.count, self.defended.count
        return without is not None and within is not None and criterion.is_won(without) and criterion.is_lost(within)

    @property
    def left_out(self) -> bool:
        """True when the attack can't be carried out on this machine, for want of a server."""
        return self.undefended.missing or self.defended.missing


def prove(attack: Attack, store: str | None, progress: Progress) -> Proof:
    """Carry ``attack`` out both ways.

    An attacker whose race was lost by luck tries again: to win once in ``TRIES`` is to win. A defense must hold every
    time: what got through it once stands. Only a run that shows nothing, because it could not be carried out or the
    busy demo let nobody near, is repeated.
    """
    started = time.monotonic()
    criterion = attack.criterion
    progress(f"{attack.name} without {attack.defense}")
    undefended = _repeat(attack, attack.defense, store, criterion.is_won)
    progress(f"{attack.name} with {attack.defense}")
    defended = _repeat(attack, None, store, lambda count: count >= criterion.loses[0])
    return Proof(attack, undefended, defended, time.monotonic() - started)


def _repeat(attack: Attack, without: str | None, store: str | None, is_told: Callable[[int], bool]) -> Side:
    side = _carry_out(attack, without, store)
    for _ in range(TRIES - 1):
        if side.missing or (side.count is not None and is_told(side.count)):
            break
        side = _carry_out(attack, without, store)
    return side


def _carry_out(attack: Attack, without: str | None, store: str | None) -> Side:
    refusal = attack.setup.refusal
    try:
        with serve(attack.setup, without, store) as target:
            if not CAROL.gets_in(target):
                raise Broken("the demo refuses an honest person even before the attack")
            count = attack.run(target)
    except ServerMissing as error:
        return Side(None, str(error), missing=True)
    except TargetFailed as error:
        if refusal and refusal in str(error):
            return Side(0, f"refused at start: {str(error).partition(refusal)[2].strip(': ')}")
        return Side(None, f"not carried out: {error}")
    except (Broken, ServerFailed) as error:
        return Side(None, f"not carried out: {error}")
    return Side(count, f"{count} {attack.criterion.unit}")
