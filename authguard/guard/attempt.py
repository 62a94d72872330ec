"""Attempt: a charged action whose outcome is not yet known."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from authguard.errors import BlindAttempt, Overloaded
from authguard.guard.ruling import Answerable
from authguard.limits import Decision, Outcome


class Attempt:
    """One try of one action. It was charged before anybody looked at the secret (law 3).

    Leaving the ``with`` block without a word is a failure, whatever the reason but ``Overloaded`` before the secret was
    looked at. The first word counts; later ones change nothing. ``blind`` means that nothing may succeed: the account
    behind the identifier has had too many tries under other names, and telling so would tie the names together (law
    8). Such an attempt is answered like any wrong secret, after the same work; whoever says that it succeeded gets
    ``BlindAttempt`` raised, lest somebody be let in.
    """

    __slots__ = (
        "_depth",
        "_forgotten",
        "_left",
        "_settle",
        "_settled",
        "_succeeded",
        "_wrong",
        "blind",
        "decision",
        "known",
        "refused",
    )

    def __init__(
        self,
        decision: Decision | None,
        refused: Answerable | None,
        settle: Callable[[Outcome, bool], None],
        blind: bool = False,
        known: bool = False,
    ) -> None:
        self.decision = decision
        self.refused = refused
        self.blind = blind
        self.known = known
        self._settle = settle
        self._settled = refused is not None
        self._depth = 0
        self._wrong: bool | None = None
        self._left: Callable[[], object] = _do_nothing
        self._forgotten: Callable[[], object] = _do_nothing
        self._succeeded: tuple[Callable[[], object], ...] = ()

    @property
    def allowed(self) -> bool:
        """True when the action may go on."""
        return self.refused is None

    def succeed(self) -> None:
        """Say that every factor is through: this attempt's charge is given back, the client's failures cleared.

        Raises ``BlindAttempt`` for a blind one, which is a failure.
        """
        self._end(Outcome.SUCCESS)

    def partial(self) -> None:
        """Say that this factor is right and another is still to come: the charge is given back, nothing cleared.

        Raises ``BlindAttempt`` for a blind one, which is a failure.
        """
        self._end(Outcome.PARTIAL)

    def fail(self) -> None:
        """Say that the secret was wrong; the charge stands."""
        self._end(Outcome.FAILURE)

    def withdraw(self) -> None:
        """Say that nobody has looked at the secret: the charge is given back, and nothing is known of the account."""
        self._conclude(Outcome.PARTIAL, looked=False)

    def note_look(self, right: bool) -> None:
        """Note that somebody has looked: where nothing was found right, an overload afterwards gives nothing back."""
        self._wrong = not right and self._wrong is not False

    def when_left(self, callback: Callable[[], object]) -> None:
        """Have ``callback`` called when the outermost ``with`` block of this attempt is left."""
        self._left = callback

    def when_forgotten(self, callback: Callable[[], object]) -> None:
        """Have ``callback`` called when the block ends without a word and without an exception."""
        self._forgotten = callback

    def when_succeeded(self, callback: Callable[[], object]) -> None:
        """Have ``callback`` called once every factor is through."""
        self._succeeded = (*self._succeeded, callback)

    def _end(self, outcome: Outcome) -> None:
        blinded = self.blind and outcome is not Outcome.FAILURE
        self._conclude(Outcome.FAILURE if blinded else outcome)
        if blinded:
            raise BlindAttempt("the account behind this name has had too many tries; nothing may succeed")

    def _conclude(self, outcome: Outcome, looked: bool = True) -> None:
        if self._settled:
            return
        self._settled = True
        self._settle(outcome, looked)
        if outcome is Outcome.SUCCESS:
            for callback in self._succeeded:
                callback()

    def __enter__(self) -> Attempt:
        self._depth += 1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._left()
            if kind is None and not self._settled:
                self._forgotten()
            if isinstance(error, Overloaded) and not self._wrong:
                # There was no room for the secret's check: our overload is not their failure.
                self.withdraw()
            self._conclude(Outcome.FAILURE)


def _do_nothing() -> None:
    """Stand in for a callback that nobody gave."""
