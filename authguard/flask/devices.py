"""Devices of a request: the cookies that it brings and that its answer sets."""

from __future__ import annotations

from flask import Request, Response, after_this_request, has_request_context, request

from authguard.flask.subject import SubjectReader
from authguard.login.devices import Device, Devices
from authguard.policy import Subject


class RequestDevices:
    """:class:`~authguard.login.devices.Devices` bound to the request at hand."""

    def __init__(self, devices: Devices, subjects: SubjectReader) -> None:
        self._devices = devices
        self._subjects = subjects

    def revoke(self, account: str, *, keep_this: bool = False) -> None:
        """Make every known device of ``account`` a stranger's, as after a changed password or a reported theft.

        ``account`` is the account's own id: what the resolver returns for it, or without a resolver the identifier as
        its owner types it. ``keep_this`` makes the browser of the request at hand known afresh. Raises ``StoreError``
        where the store can't be asked: nothing was revoked then.
        """
        own_id = self._subjects.own_id(account)
        revoked_at = self._devices.revoke(own_id)
        if keep_this:
            self.remember(own_id, revoked_at)

    def remember(self, own_id: str, now: int) -> None:
        """Make the browser of the request at hand a known device of the account, new in any case, by its answer.

        Where there is no request any more (another thread, an answer that streams) nothing can be set.
        """
        if not has_request_context():
            return
        crumbs = self._devices.mint(own_id, now, request.cookies.items())

        @after_this_request
        def set_cookies(response: Response) -> Response:
            for crumb in crumbs:
                response.set_cookie(
                    crumb.name, crumb.value, max_age=crumb.life, secure=True, httponly=True, samesite="Lax", path="/"
                )
            return response


def find_device(devices: Devices, subject: Subject, req: Request) -> Device | None:
    """Return the device that ``req`` comes from, where the account that it tries knows it."""
    if not subject.own_id or "HTTP_COOKIE" not in req.environ:  # most who try passwords send no cookies at all
        return None
    return devices.recognise(subject.own_id, req.cookies)
