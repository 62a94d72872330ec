"""HTTP: a refusal becomes status, headers and body. Pure, and free of any framework.

Sources: RFC 6585 (429), RFC 9110 10.2.3 (Retry-After), RFC 9111 5.2.2.5 (no-store), RFC 9457 (problem details).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from authguard.clock import SECOND
from authguard.guard.ruling import Answerable, Offer, Refusal

ANSWER_FIELD = "authguard_challenge"
"""The field, and with a dash the header, in which a client answers a challenge."""
COARSE = (5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400)
"""The steps, in seconds, to which a sensitive policy rounds its Retry-After up."""

_STATUS = {
    Refusal.RATE: 429,
    Refusal.CHALLENGE: 429,
    Refusal.BUSY: 503,
    Refusal.COST: 400,
    Refusal.IDENTITY: 400,
}
_TITLES = {400: "Bad Request", 429: "Too Many Requests", 503: "Service Unavailable"}
_DETAILS = {
    Refusal.RATE: "There were too many tries. Please wait before the next one.",
    Refusal.CHALLENGE: "There were too many tries. Please wait before the next one.",
    Refusal.BUSY: "This can't be done right now. Please try again in a moment.",
    Refusal.COST: "This request asks for more than is ever allowed at once.",
    Refusal.IDENTITY: "Part of the request is missing, given twice, or can't be read.",
}
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<main>
<h1>{title}</h1>
<p>{detail}</p>{when}{form}
</main>
</html>
"""


_FORM = """
<p>You need not wait so long: you may try once more in {wait}. Wait that long, then send this form.</p>
<form method="post">
{fields}
<p><button type="submit">Try again</button></p>
</form>"""


@dataclass(frozen=True, slots=True)
class Form:
    """What a page with a challenge posts again: fields as they came, and those that are asked for again."""

    kept: tuple[tuple[str, str], ...]
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete HTTP answer. ``retry_after`` is in seconds, 0 where there is none."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    retry_after: int


def answer(
    refused: Answerable, html: bool, jitter: Callable[[int], int] = secrets.randbelow, form: Form | None = None
) -> Answer:
    """Return the answer to a refused request, as a page where ``html``, else as problem details.

    ``Retry-After`` is in whole seconds, never 0. For a sensitive policy it is rounded up to a coarse step, and up to
    a tenth is added at random, upwards only, so that it neither tells what others did nor brings everybody back at
    once. ``jitter(n)`` returns an integer from 0 to n-1. A page offers a challenge where there is a ``form`` to post.
    """
    status = _STATUS[refused.refusal]
    seconds = _seconds(refused, jitter) if status in (429, 503) else 0
    if html:
        body, kind = _page(refused, status, seconds, form), "text/html; charset=utf-8"
    else:
        body, kind = json.dumps(_problem(refused, status, seconds)), "application/problem+json"
    headers = [("Content-Type", kind), ("Cache-Control", "no-store"), ("Vary", "Accept")]
    if html:
        # It may ask for a password. An application's own page keeps this header, so it says nothing of styles.
        headers.append(("Content-Security-Policy", "frame-ancestors 'none'"))
    if seconds:
        headers.append(("Retry-After", str(seconds)))
    return Answer(status, tuple(headers), body.encode("utf-8", "replace"), seconds)


def describe(refused: Answerable) -> str:
    """Return the sentence that tells a client why it is refused."""
    return _DETAILS[refused.refusal]


def describe_offer(offer: Offer) -> dict[str, object]:
    """Return ``offer`` as problem details tell it to a script; ``wait`` is in whole seconds."""
    told = {"type": offer.kind, "token": offer.token, "wait": _whole(offer.wait), "field": ANSWER_FIELD}
    return {**offer.data, **told}


def _page(refused: Answerable, status: int, seconds: int, form: Form | None) -> str:
    when = f"\n<p>You can come back in {_spoken(seconds)}.</p>" if seconds else ""
    offered = _form(refused.offer, form) if refused.offer is not None and form is not None else ""
    detail = escape(describe(refused))
    return _PAGE.format(title=escape(_TITLES[status]), detail=detail, when=when, form=offered)


def _form(offer: Offer, form: Form) -> str:
    kept = [*form.kept, (ANSWER_FIELD, offer.token)]
    fields = [f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">' for name, value in kept]
    fields += [
        f'<p><label>Your {escape(name)} again<br><input type="password" name="{escape(name)}" required></label></p>'
        for name in form.asked
    ]
    return _FORM.format(wait=_spoken(_whole(offer.wait)), fields="\n".join(fields))


def _problem(refused: Answerable, status: int, seconds: int) -> dict[str, object]:
    detail = describe(refused)
    problem: dict[str, object] = {"title": _TITLES[status], "status": status, "detail": detail, "code": refused.code}
    if seconds:
        problem["retry_after"] = seconds
    if refused.offer is not None:
        problem["challenge"] = describe_offer(refused.offer)
    return problem


def _seconds(refused: Answerable, jitter: Callable[[int], int]) -> int:
    exact = _whole(refused.retry_after)
    if not refused.sensitive:
        return exact
    # Above the last step, whole days.
    coarse = next((step for step in COARSE if step >= exact), -(-exact // COARSE[-1]) * COARSE[-1])
    return coarse + jitter(coarse // 10 + 1)


def _whole(microseconds: int) -> int:
    """Return whole seconds, rounded up, never 0."""
    return max(1, -(-microseconds // SECOND))


def _spoken(seconds: int) -> str:
    for size, name in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds > size:
            return f"{-(-seconds // size)} {name}s"
    return f"{seconds} second{'s' if seconds > 1 else ''}"
