"""Random histories: whatever is asked, resent, guessed and clicked, in any order, codes do what a plain list says."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from authguard.clock import SECOND
from authguard.limits import Limit
from authguard.otp.rules import VERSIONS
from authguard.policy import PRESETS, Layer, Scope
from tests.otp.rig import Person, Rig

OWNER = Person()
TTL, TRIES, LINK_TTL = 300 * SECOND, 5, 86_400 * SECOND
PLENTY = Limit.parse("9999/24h")
POLICIES = {
    name: replace(PRESETS[name], layers=(Layer("all", (scope,), PLENTY),))
    for name, scope in (("otp-send", Scope.GLOBAL), ("otp-verify", Scope.GLOBAL), ("message", Scope.DESTINATION))
}
"""Nothing is limited but the challenge itself."""
THINGS = ("ask", *["resend"] * 5, *["guess"] * 3, "wrong", "wrong", "click", *["wait"] * 4)
"""What happens, as often as makes long challenges likely."""


@dataclass
class Sent:
    """One message: its number in its challenge, when it was asked for, and the code and link in it."""

    number: int
    at: int
    code: str
    link: str


@dataclass
class Model:
    """One challenge, as a plain list of its messages."""

    messages: list[Sent] = field(default_factory=list)
    tries: int = 0
    won: bool = False


@dataclass
class Form:
    """What a browser tab holds: a token, its challenge, and the messages that it was made after."""

    token: str
    model: Model
    known: tuple[Sent, ...]


class History:
    """A rig and the plain list beside it."""

    def __init__(self) -> None:
        self.rig = Rig(policies=POLICIES)
        self.forms: list[Form] = []
        self.messages: list[tuple[Model, Sent]] = []

    def ask(self, earlier: Form | None) -> None:
        now = self.rig.store.now()
        model, known = Model(), tuple[Sent, ...]()
        if earlier is not None and self.goes_on(earlier, now):
            model, known = earlier.model, earlier.known
        answer = self.rig.ask(OWNER, earlier.token if earlier else None)
        message = Sent(len(model.messages) + 1, now, self.rig.code(), self.rig.link())
        assert len(self.rig.inbox.messages) == len(self.messages) + 1
        model.messages.append(message)
        self.messages.append((model, message))
        self.forms.append(Form(answer.token, model, (*known, message)))

    @staticmethod
    def goes_on(form: Form, now: int) -> bool:
        model = form.model
        fresh = form.known[-1].at + TTL > now
        return fresh and model.tries < TRIES and not model.won and len(model.messages) < VERSIONS

    def guess(self, form: Form, code: str) -> None:
        model, now = form.model, self.rig.store.now()
        live = model.messages[-1]
        expected = not model.won and model.tries < TRIES and live in form.known
        expected = expected and code == live.code and now < live.at + TTL
        assert self.rig.right(OWNER, form.token, code) is expected
        if not model.won and model.tries < TRIES:
            model.tries += 1
        model.won = model.won or expected

    def click(self, model: Model, message: Sent) -> None:
        live = message is model.messages[-1] and self.rig.store.now() < message.at + LINK_TTL
        expected = live and not model.won
        assert (self.rig.follow(OWNER, message.link).reader is not None) is expected
        model.won = model.won or expected


def play(draw: Any, history: History) -> None:
    """Do one thing."""
    what = draw(st.sampled_from(THINGS))
    if what == "wait":
        history.rig.advance(draw(st.sampled_from((1, 30, 100, 200, 299, 300, 3000))) * SECOND)
    elif what == "ask" or not history.forms:
        history.ask(None)
    elif what == "resend":
        history.ask(draw(st.sampled_from(history.forms[-3:])))
    elif what == "click":
        history.click(*draw(st.sampled_from(history.messages)))
    else:
        form = draw(st.sampled_from(history.forms[-4:]))
        code = history.rig.wrong(draw(st.integers(0, 9)))
        if what == "guess":
            code = draw(st.sampled_from([message.code for message in form.model.messages]))
        history.guess(form, code)


@settings(max_examples=250)
@given(st.data())
def test_codes_do_what_a_plain_list_says(data: st.DataObject) -> None:
    history = History()
    for _ in range(data.draw(st.integers(3, 40))):
        play(data.draw, history)
    history.rig.close()
