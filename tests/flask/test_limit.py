"""``limit``: a view whose every call counts, and the ways to write one whose calls would not."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from flask import Blueprint, Flask

from authguard.errors import ConfigurationError
from authguard.flask import AuthGuard
from tests.flask.site import Site

POLICY = '[policies.search]\nsensitive = false\n[policies.search.layers.address]\nscope = "ip"\nlimit = "3/1h"\n'


@pytest.fixture
def site(tmp_path: Path) -> Site:
    policy = tmp_path / "policy.toml"
    policy.write_text(POLICY)
    return Site(tmp_path, AUTHGUARD_CONFIG=str(policy))


def login_required(view: Callable[[], str]) -> Callable[[], str]:
    @wraps(view)
    def checked() -> str:
        return view()

    return checked


def ask(app: Flask, path: str = "/search") -> int:
    app.testing = True  # what goes wrong is raised here, not answered with 500
    return app.test_client().get(path).status_code


def test_it_counts_every_call(site: Site) -> None:
    @site.app.route("/search", methods=["GET", "POST"])
    @site.guard.limit("search")
    def search() -> str:
        return "found"

    client = site.client()
    answers = [client.get("/search"), client.head("/search"), client.post("/search"), client.get("/search")]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 3590 <= int(answers[3].headers["Retry-After"]) <= 3600


def test_one_above_the_route_is_found_out_by_every_request(site: Site) -> None:
    @site.guard.limit("search")
    @login_required
    @site.app.get("/search")
    def search() -> str:
        return "found"

    for path in ("/search", "/login", "/search"):
        with pytest.raises(ConfigurationError, match=r"'search' .* limit\(\"search\"\).* below the route"):
            ask(site.app, path)


def test_one_above_a_blueprints_route_is_found_out_too(tmp_path: Path) -> None:
    pages, guard = Blueprint("pages", "pages"), AuthGuard()

    @guard.limit("signup")
    @pages.get("/search")
    def search() -> str:
        return "found"

    app = Flask("factory", instance_path=str(tmp_path))
    app.config.update(SECRET_KEY="k" * 40)
    guard.init_app(app)
    app.register_blueprint(pages)
    with pytest.raises(ConfigurationError, match=r"pages\.search"):
        ask(app)


def test_a_policy_that_there_is_not_is_found_out_by_every_request(site: Site) -> None:
    site.app.add_url_rule("/search", "search", site.guard.limit("serach")(lambda: "found"))
    for path in ("/login", "/search"):
        with pytest.raises(ConfigurationError, match="there is no policy 'serach'; use one of"):
            ask(site.app, path)


def test_a_view_that_has_another_route_of_its_own_is_nobodys_mistake(site: Site) -> None:
    def search() -> str:
        return "found"

    site.app.add_url_rule("/internal", "internal", search)
    site.app.add_url_rule("/search", "search", login_required(site.guard.limit("search")(search)))
    assert [ask(site.app) for _ in range(4)] == [200, 200, 200, 429]
    assert ask(site.app, "/internal") == 200


def test_the_look_is_taken_once_and_leaves_what_else_comes_before_requests(site: Site) -> None:
    heard: list[str] = []
    site.app.before_request(lambda: heard.append("before"))
    site.app.add_url_rule("/", "index", lambda: "index")
    assert [ask(site.app, "/"), ask(site.app, "/")] == [200, 200]
    assert heard == ["before", "before"]
    assert len(site.app.before_request_funcs[None]) == 1


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [("otp-send", r"counts identifiers; .* with id="), ("export", "counts 'user', which no request is known by")],
)
def test_a_policy_that_no_request_could_meet_is_the_applications_mistake(
    tmp_path: Path, policy: str, sentence: str
) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(
        '[policies.export]\nsensitive = false\n[policies.export.layers.u]\nscope = "user"\nlimit = "3/1h"\n'
    )
    site = Site(tmp_path, AUTHGUARD_CONFIG=str(file))
    site.app.add_url_rule("/search", "search", site.guard.limit(policy)(lambda: "found"))
    with pytest.raises(ConfigurationError, match=sentence):
        ask(site.app)


def test_an_attempt_under_a_policy_that_no_request_could_meet_is_too(tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text('[policies.login.layers.key]\nscope = "api-key"\nlimit = "3/1h"\n')
    site = Site(tmp_path, AUTHGUARD_CONFIG=str(file))
    site.app.testing = True
    with pytest.raises(ConfigurationError, match="counts 'api-key'"):
        site.client().post("/login", data={"email": "owner@example.com", "password": "guess"})


def test_it_refuses_a_class() -> None:
    with pytest.raises(ConfigurationError, match="decorators"):
        AuthGuard().limit("login")(type("View", (), {}))


def test_it_refuses_to_be_written_without_its_policy() -> None:
    bare: Any = AuthGuard().limit

    with pytest.raises(ConfigurationError, match=r"write @guard\.limit"):

        @bare
        def search() -> str:
            return "found"
