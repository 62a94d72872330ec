"""Limited views: what ``limit`` decorates, and whether an application really calls it that way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from flask import Flask

from authguard.errors import ConfigurationError
from authguard.flask.state import state_of

View = Callable[..., Any]


class LimitedViews:
    """The views that were decorated with ``limit``.

    Decorators apply from the bottom up. One that stands above the route decorates a view that is registered already:
    requests reach it uncounted, and nothing else would tell.
    """

    def __init__(self) -> None:
        self._views: list[tuple[str, View, View]] = []

    def add(self, policy: str, view: View, limited: View) -> None:
        """Note that ``limited`` is ``view`` under ``policy``."""
        self._views.append((policy, view, limited))

    def look_over(self, app: Flask) -> None:
        """Have the first request of ``app`` raise for a view that is called without its limit, or names no policy.

        By then all views are registered. Every request raises until that is mended; a look that found nothing is the
        only one.
        """

        def look() -> None:
            self._check(app)
            # A new list: Flask is walking over the present one.
            app.before_request_funcs[None] = [each for each in app.before_request_funcs[None] if each is not look]

        app.before_request(look)

    def _check(self, app: Flask) -> None:
        called = {id(each) for view in app.view_functions.values() for each in _layers(view)}
        endpoints = {id(view): endpoint for endpoint, view in app.view_functions.items()}
        for policy, view, limited in self._views:
            if id(limited) in called:
                state_of(app).guard.policy(policy)  # raises for one that there is not
                continue
            bare = next((endpoints[id(each)] for each in _layers(view) if id(each) in endpoints), None)
            if bare is not None:
                raise ConfigurationError(
                    f'the view {bare!r} is called without its limit("{policy}"), which stands above its route; put '
                    "the limit below the route, next to the function"
                )


def _layers(view: View) -> Iterator[View]:
    """Yield ``view`` and what its decorators wrap, from the outside in."""
    layer: View | None = view
    while layer is not None:
        yield layer
        layer = getattr(layer, "__wrapped__", None)
