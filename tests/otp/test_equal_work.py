"""Equal work: a request costs the same whether or not anybody gets a message, and waits for no provider."""

from __future__ import annotations

from threading import current_thread, main_thread

from authguard.clock import SECOND, ManualClock
from authguard.delivery import Channel
from authguard.limits import Decision, Outcome, Plan, Receipt
from authguard.otp import Direct
from authguard.stores.memory import MemoryStore
from tests.otp.rig import Person, Rig

OWNER = Person()
NOBODY = Person("nobody@example.com", None, None)
MINUTE = 60 * SECOND


class CountingStore(MemoryStore):
    """A store that notes which calls the requests' own thread makes."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self.calls: list[str] = []

    def _note(self, call: str) -> None:
        if current_thread() is main_thread():
            self.calls.append(call)

    def decide(self, plan: Plan) -> Decision:
        self._note(f"decide {len(plan.counters)}")
        return super().decide(plan)

    def peek(self, plan: Plan) -> Decision:
        self._note(f"peek {len(plan.counters)}")
        return super().peek(plan)

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        self._note(f"settle {outcome}")
        return super().settle(receipt, outcome)


def test_the_store_does_the_same_work_for_somebody_and_nobody() -> None:
    work = []
    for person in (OWNER, NOBODY):
        clock = ManualClock()
        store = CountingStore(clock)
        rig = Rig(store, clock.advance)
        token = rig.ask(person).token
        rig.check(person, token, "000000")
        rig.advance(MINUTE)
        token = rig.ask(person, token).token
        rig.check(person, token, "000001")
        work.append(store.calls)
        rig.close()
    assert work[0] == work[1]
    assert len(work[0]) == 8


def test_the_answer_does_not_wait_for_the_provider(rig: Rig) -> None:
    rig.inbox.gate.clear()
    sent = rig.sending.send("otp-send", OWNER.binding, Direct(rig.foundation.guard, OWNER.subject), Channel.MAIL)
    assert sent.refused is None
    assert rig.inbox.entered.wait(20)
    rig.inbox.gate.set()
    assert rig.sender.drain(20)
    assert rig.right(OWNER, sent.token, rig.code())
