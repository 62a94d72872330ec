"""New accounts: one a mailbox, however it is spelled, and a place given back where none was made."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import request

from authguard.events import Decided
from authguard.flask import subject as subject_module
from tests.flask.site import Site
from tests.guard.rig import Recorder


class Club(Site):
    """A site on which a confirmed mailbox makes an account."""

    def __init__(self, folder: Path) -> None:
        self.recorder = Recorder()
        # Generous: these tests are about exactness, on a machine that may be busy.
        super().__init__(folder, observers=[self.recorder], AUTHGUARD_DEADLINE="10s")
        self.made: list[str] = []
        self.app.add_url_rule("/confirm", view_func=self.confirm, methods=["POST"])

    def confirm(self) -> str:
        """Make an account, unless the form says that making it fails."""
        with self.guard.confirmation(id=request.form["email"]) as place:
            if "taken" in request.form:
                return "the name is taken"
            if "bug" in request.form:
                raise RuntimeError("a bug")
            self.made.append(request.form["email"])
            place.keep()
        return "welcome"

    def join(self, email: str, number: int = 0, **more: str) -> int:
        """Confirm ``email`` from a network of its own; return the status."""
        address = {"REMOTE_ADDR": f"10.{number}.0.1"}
        return self.client().post("/confirm", data={"email": email, **more}, environ_base=address).status_code


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path)


def test_a_hundred_spellings_of_one_mailbox_make_one_account(club: Club) -> None:
    spellings = [f"J.o.e+tag{n}@{'googlemail' if n % 2 else 'gmail'}.com" for n in range(100)]
    statuses = [club.join(email, number) for number, email in enumerate(spellings)]
    assert statuses == [200] + [429] * 99
    assert len(club.made) == 1


def test_fifty_at_once_make_one_account(club: Club) -> None:
    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(lambda n: club.join(f"joe+{n}@example.com", n), range(50)))
    assert statuses.count(200) == 1
    assert set(statuses) <= {200, 429, 503}  # 503: no place left to wait for the one that is under way
    assert len(club.made) == 1


def test_a_place_without_an_account_is_given_back(club: Club) -> None:
    club.app.config["PROPAGATE_EXCEPTIONS"] = False
    assert club.join("joe@example.com", taken="yes") == 200
    assert club.join("joe@example.com", bug="yes") == 500
    assert club.join("joe@example.com") == 200
    assert club.join("joe@example.com") == 429


def test_a_domain_of_one_s_own_makes_fifty_a_day_and_a_shared_one_any_number(club: Club) -> None:
    own = [club.join(f"user{n}@mail{n}.catchall.co.uk", n) for n in range(55)]
    assert own == [200] * 50 + [429] * 5
    assert [club.join(f"user{n}@gmail.com", n) for n in range(55)] == [200] * 55


def test_without_the_suffix_list_each_mail_domain_is_one(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject_module, "_knows_suffixes", lambda: False)
    assert [club.join(f"user{n}@mail.catchall.co.uk", n) for n in range(52)] == [200] * 50 + [429] * 2
    assert [club.join(f"user{n}@gmail.com", n) for n in range(52)] == [200] * 52


def test_asking_for_a_sign_up_takes_nobody_s_place(club: Club) -> None:
    with club.app.test_request_context("/", environ_base={"REMOTE_ADDR": "192.0.2.1"}):
        for _ in range(5):
            club.guard.count("signup", id="victim@company.example")
    assert club.join("victim@company.example") == 200


def test_a_phone_number_or_a_user_name_has_a_place_too(club: Club) -> None:
    assert [club.join(name) for name in ("+447700900123", "+447700900123", "joe")] == [200, 429, 200]


def test_throw_away_mailboxes_are_told_as_a_fact(club: Club) -> None:
    for email in ("a@mailinator.com", "b@privaterelay.appleid.com", "c@example.com"):
        assert club.join(email) == 200
    assert [event.facts for event in club.recorder.events if isinstance(event, Decided)] == [
        ("disposable",),
        ("relay",),
        (),
    ]


def test_a_broken_mailbox_is_400(club: Club) -> None:
    assert [club.join(email) for email in ("", "a@", "a@b@c")] == [400, 400, 400]
