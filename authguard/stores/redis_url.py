"""Redis URLs: where the server is and how to log in there, read from one line of configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from authguard.errors import ConfigurationError

DEFAULT_TAG = "ag"
LONGEST_TAG = 32
_PORT = 6379
_SENTINEL_PORT = 26379
_SCHEMES = {"redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel", "redis+cluster", "rediss+cluster"}
_TLS_OPTIONS = {"ssl_ca_certs", "ssl_ca_path", "ssl_certfile", "ssl_keyfile", "ssl_password", "unsafe_skip_hostname"}
_OPTIONS = {"db", "tag", "apart", "sentinel_username", "sentinel_password", *_TLS_OPTIONS}

Address = tuple[str, int]
"""A host and a port; for a unix socket its path and 0."""


class Topology(StrEnum):
    """How the servers behind a URL are arranged."""

    STANDALONE = "standalone"
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


@dataclass(frozen=True, slots=True)
class RedisURL:
    """A URL, taken apart. Passwords are in no repr.

    ``addresses`` are the server, the sentinels or some nodes of the cluster. ``tag`` is the hash tag, in braces, in
    front of every key, and ``apart`` that of the layers marked apart, if they have their own. ``tls`` holds redis-py's
    ``ssl_…`` arguments, or is ``None`` without TLS.
    """

    topology: Topology
    addresses: tuple[Address, ...]
    tag: bytes
    apart: bytes | None = None
    db: int = 0
    service: str = ""
    username: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    sentinel_username: str | None = field(default=None, repr=False)
    sentinel_password: str | None = field(default=None, repr=False)
    tls: Mapping[str, Any] | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, text: str) -> RedisURL:
        """Return the parts of ``text``; raises ``ConfigurationError`` with one sentence, never with the password.

        ``redis://[[user]:password@]host[:port][/db]``, the same with ``rediss://`` for TLS,
        ``unix://[[user]:password@]/path[?db=n]``, ``redis+sentinel://[…@]host:port,host:port/service[/db]`` and
        ``redis+cluster://[…@]host:port,host:port``; ``rediss+…`` for TLS, ``valkey…`` for Valkey. Options behind
        ``?`` are ``db``, ``tag``, ``apart``, ``sentinel_username``, ``sentinel_password`` and, as redis-py knows them,
        ``ssl_ca_certs``, ``ssl_ca_path``, ``ssl_certfile``, ``ssl_keyfile``, ``ssl_password``;
        ``unsafe_skip_hostname=yes`` takes a certificate for another host.
        """
        parts = urlsplit(text)
        scheme = parts.scheme.replace("valkey", "redis", 1)
        if scheme not in _SCHEMES:
            raise ConfigurationError(f"{parts.scheme[:20]!r} is no scheme of a Redis URL")
        _refuse_cut(parts)
        options = _options(parts.query)
        credentials, _, hosts = parts.netloc.rpartition("@")
        username, _, password = credentials.partition(":")
        topology = Topology(scheme.partition("+")[2] or "standalone")
        service, db = _service_and_db(parts.path, topology) if scheme != "unix" else ("", "")
        port = _SENTINEL_PORT if topology is Topology.SENTINEL else _PORT
        return cls(
            topology=topology,
            addresses=((_path(parts.path), 0),) if scheme == "unix" else _addresses(hosts, topology, port),
            tag=_tag(options.get("tag", DEFAULT_TAG)),
            apart=_apart(options, topology),
            db=_db(options.get("db") or db or "0", topology),
            service=service,
            username=unquote(username) or None,
            password=unquote(password) or None,
            sentinel_username=options.get("sentinel_username"),
            sentinel_password=options.get("sentinel_password"),
            tls=_tls(options, secured=scheme.startswith("rediss")),
        )

    @property
    def place(self) -> str:
        """Where the server is, for messages: hosts and ports, nothing secret."""
        return ", ".join(f"{host}:{port}" if port else host for host, port in self.addresses)


def _refuse_cut(parts: SplitResult) -> None:
    """Refuse a URL whose password ends where the host should: the rest of it would be quoted as something else."""
    options = parse_qsl(parts.query, keep_blank_values=True)
    unknown = " ".join(f"{name}={value}" for name, value in options if name not in _OPTIONS)
    behind = unknown if parts.scheme == "unix" else f"{parts.path} {unknown} {parts.fragment}"
    if "@" in behind:
        raise ConfigurationError("the Redis URL ends before its @; percent-encode /, ? and # in its user and password")


def _options(query: str) -> dict[str, str]:
    options = dict(parse_qsl(query, keep_blank_values=True))
    unknown = sorted(name for name in options if name not in _OPTIONS)
    if unknown:
        raise ConfigurationError(
            f"the Redis URL has the unknown option {unknown[0][:30]!r}; use {', '.join(sorted(_OPTIONS))}"
        )
    return options


def _service_and_db(path: str, topology: Topology) -> tuple[str, str]:
    segments = [unquote(segment) for segment in path.split("/") if segment]
    if topology is not Topology.SENTINEL:
        if len(segments) > 1:
            raise ConfigurationError("a Redis URL has nothing but the number of a database behind its host")
        return "", segments[0] if segments else ""
    if not 1 <= len(segments) <= 2:
        raise ConfigurationError("a Sentinel URL names its service: redis+sentinel://host:26379/service")
    return segments[0], segments[1] if len(segments) > 1 else ""


def _path(path: str) -> str:
    if len(path) < 2:
        raise ConfigurationError("a unix URL names the socket's path, as in unix:///run/redis/redis.sock")
    return unquote(path)


def _addresses(hosts: str, topology: Topology, port: int) -> tuple[Address, ...]:
    found = tuple(_address(host, port) for host in hosts.split(",") if host)
    if not found:
        raise ConfigurationError("the Redis URL names no host")
    if topology is Topology.STANDALONE and len(found) > 1:
        raise ConfigurationError("several hosts need redis+sentinel:// or redis+cluster://")
    return found


def _address(text: str, port: int) -> Address:
    try:
        parts = urlsplit(f"//{text}")
        return unquote(parts.hostname or ""), port if parts.port is None else parts.port
    except ValueError:
        raise ConfigurationError("a host or a port in the Redis URL can't be read") from None


def _db(text: str, topology: Topology) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise ConfigurationError(f"{text[:20]!r} is not the number of a Redis database")
    if topology is Topology.CLUSTER and int(text):
        raise ConfigurationError("a Redis Cluster has no database but 0")
    return int(text)


def _tag(text: str) -> bytes:
    if not 1 <= len(text) <= LONGEST_TAG or not text.isascii() or not text.replace("-", "").isalnum():
        raise ConfigurationError(f"a tag is 1 to {LONGEST_TAG} letters, digits or hyphens")
    return b"{" + text.encode() + b"}"


def _apart(options: Mapping[str, str], topology: Topology) -> bytes | None:
    if "apart" not in options:
        return None
    if topology is not Topology.CLUSTER:
        raise ConfigurationError("apart needs redis+cluster://: elsewhere one server holds every key anyway")
    apart = _tag(options["apart"])
    if apart == _tag(options.get("tag", DEFAULT_TAG)):
        raise ConfigurationError("apart must be another tag than tag, or nothing is apart")
    return apart


def _tls(options: dict[str, str], *, secured: bool) -> dict[str, Any] | None:
    given: dict[str, Any] = {name: value for name, value in options.items() if name in _TLS_OPTIONS}
    if not secured:
        if given:
            raise ConfigurationError("ssl_… options need a URL that begins with rediss")
        return None
    if given.pop("unsafe_skip_hostname", "no") == "yes":
        given["ssl_check_hostname"] = False
    return given
