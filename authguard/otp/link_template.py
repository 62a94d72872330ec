"""Link template: where the links in messages lead. Configured, never taken from a request, whose host is a guess."""

from __future__ import annotations

from urllib.parse import urlsplit

from authguard.errors import ConfigurationError

TOKEN = "{token}"
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class LinkTemplate:
    """A URL with ``{token}`` in it, as in ``https://example.com/continue/{token}``.

    Raises ``ConfigurationError`` for a URL without the token, with anything but HTTPS (or HTTP on loopback), or whose
    host holds the token.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if url.count(TOKEN) != 1 or TOKEN in parts.netloc:
            raise ConfigurationError("the link in messages must hold {token} once, behind the host's name")
        if not host or not (parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK)):
            raise ConfigurationError("the link in messages must begin with https:// and a host's name")
        self._url = url
        self.host = host

    def url(self, token: str) -> str:
        """Return the link that carries ``token``."""
        return self._url.replace(TOKEN, token)
