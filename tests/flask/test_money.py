"""Money over Flask: codes and everything else that costs are paid from one ledger, in the application's own store."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from authguard.delivery import Channel, Job
from authguard.durations import parse_duration
from authguard.errors import ConfigurationError, StoreUnavailable
from authguard.flask import AuthGuard, Messages
from authguard.limits import Decision, Plan
from tests.delivery.providers import Inbox, message


def site(folder: Path, messages: Messages | None) -> tuple[Flask, AuthGuard]:
    """Return an application and its guard."""
    app = Flask("site", instance_path=str(folder))
    app.config["SECRET_KEY"] = "k" * 40
    return app, AuthGuard(app, messages=messages)


def test_what_leaves_by_the_sender_is_in_the_ledger_once_for_each_key(tmp_path: Path) -> None:
    inbox = Inbox()
    app, guard = site(tmp_path, Messages("https://example.com/continue/{token}", sms=inbox))
    one = message(to="+447400000001")
    with app.app_context():
        for _ in range(3):
            guard.sender.reserve(Channel.SMS).fill(Job(Channel.SMS, "receipt", False, lambda: one, one.to, one.key))
        assert guard.sender.drain()
        assert len(inbox.messages) == 1
        assert next(each.spent for each in guard.ledger.balances() if each.cap == "day") == 1


def test_a_message_is_unwanted_once_its_code_is_too_old(tmp_path: Path) -> None:
    (tmp_path / "policies.toml").write_text('[codes]\nttl = "30m"\n')
    app = Flask("site", instance_path=str(tmp_path))
    app.config.update(SECRET_KEY="k" * 40, AUTHGUARD_CONFIG=str(tmp_path / "policies.toml"))
    guard = AuthGuard(app)
    with app.app_context():
        breaker = guard.ledger.channel("sms").breaker
    assert breaker is not None
    assert breaker.life == parse_duration("30m")


def test_a_view_that_forgets_the_ledger_s_no_answers_503(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app, guard = site(tmp_path, None)

    @app.get("/spend/<number>")
    def spend(number: str) -> str:
        with guard.ledger.reserve("sms", number) as reservation:
            reservation.dispatch()
        return "spent"

    client = app.test_client()
    answers = [client.get("/spend/+447400000001") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [503]
    assert int(answers[-1].headers["Retry-After"]) >= 60
    with app.app_context():
        monkeypatch.setattr(guard.ledger._store, "decide", broken)
    assert client.get("/spend/+447400000002").status_code == 503


def broken(plan: Plan) -> Decision:
    raise StoreUnavailable("down")


def test_a_full_queue_is_503_to_everyone_alike(tmp_path: Path) -> None:
    inbox = Inbox()
    inbox.gate.clear()
    app, guard = site(tmp_path, Messages("https://example.com/continue/{token}", mail=inbox, capacity=2))

    @app.post("/send/<email>")
    def send(email: str) -> str:
        known = email == "owner@example.com"
        guard.codes.send("login", email, deliver=email if known else None, account="1" if known else None)
        return "sent"

    client = app.test_client()
    assert client.post("/send/owner@example.com").status_code == 200
    refused = [client.post(f"/send/{name}@example.com") for name in ("owner", "nobody")]
    assert [(answer.status_code, answer.mimetype) for answer in refused] == [(503, "application/problem+json")] * 2
    assert len({str({**answer.get_json(), "retry_after": None}) for answer in refused}) == 1
    inbox.gate.set()
    with app.app_context():
        assert guard.sender.drain()


def test_a_ledger_needs_no_messages_and_a_sender_does(tmp_path: Path) -> None:
    app, guard = site(tmp_path, None)
    with app.app_context():
        assert guard.ledger.reserve("sms", "+447400000001").dispatch()
        with pytest.raises(ConfigurationError, match="pass messages"):
            _ = guard.sender
