"""Config: ``AUTHGUARD_*`` out of the application's configuration, or else out of the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Flask

from authguard.durations import parse_duration
from authguard.errors import ConfigurationError
from authguard.guard import Seal
from authguard.identity import ProxyTrust, Pseudonymizer, derive_secret
from authguard.identity.pseudonym import SHORTEST_SECRET
from authguard.policy import Settings, load_settings
from authguard.stores import Store
from authguard.stores.start import StartCheck

SHORTEST_DEVICE_LIFE = parse_duration("1h")
DEADLINE = "50ms"
DEADLINE_OF_A_FILE = "1s"
"""A file has no network to lose a call on: what takes longer is a machine short of processors, as guessing itself makes
one. To take that for an outage would let the fail mode decide, and pass more than the limit."""
WORKERS = 4
"""Processes that share the limits of the local fallback, when neither the configuration nor gunicorn's says."""

FILE = "authguard.toml"
_RANDOM = "the output of `python -c 'import secrets; print(secrets.token_hex(32))'`"
NAMES = frozenset(
    {
        "CONFIG",
        "DEADLINE",
        "DEBUG_ENDPOINT",
        "DEVICE_LIFE",
        "NAMESPACE",
        "PREVIOUS_SECRETS",
        "PROXIES",
        "SECRET",
        "STORE",
        "STORE_CHECK",
        "THREADS",
        "WORKERS",
    }
)


@dataclass(frozen=True, slots=True)
class Config:
    """What an application says about authguard; ``file`` is its ``authguard.toml``. ``deadline`` is in microseconds.

    ``secrets`` are the current one and those that retire, ``namespace`` tells applications on one store apart.
    ``store`` is a URL, or the store itself. ``device_life`` is in microseconds. ``workers`` is the number of processes
    that serve the application, on all machines together.
    """

    secrets: tuple[bytes, ...] = field(repr=False)
    namespace: str
    pseudonymizer: Pseudonymizer
    file: Settings
    trust: ProxyTrust
    store: str | Store
    store_check: StartCheck
    deadline: int
    workers: int
    threads: int
    debug_endpoint: str | None
    device_life: int

    def seal(self, purpose: str) -> Seal:
        """Return what seals this application's tokens for ``purpose``."""
        return Seal(self.secrets, app=self.namespace, purpose=purpose)


def read_config(app: Flask) -> Config:
    """Return the configuration of ``app``; raises ``ConfigurationError`` with a sentence for the first wrong one."""
    _check_names(app)
    file = load_settings(_policy_file(app))
    current, *previous = secrets = (_secret(app), *_previous_secrets(app))
    namespace = str(_get(app, "NAMESPACE") or app.name)
    store = _store(app)
    return Config(
        secrets=secrets,
        namespace=namespace,
        pseudonymizer=Pseudonymizer(current, app=namespace, previous=previous),
        file=file,
        trust=_trust(app, file.proxies),
        store=store,
        store_check=_store_check(app),
        deadline=_duration(app, "DEADLINE", DEADLINE_OF_A_FILE if _is_file(store) else DEADLINE),
        workers=_whole(app, "WORKERS", _workers_of_server()),
        threads=_whole(app, "THREADS", 4),
        debug_endpoint=_debug_endpoint(app),
        device_life=_device_life(app),
    )


def _check_names(app: Flask) -> None:
    """Refuse a misspelt setting: what it was to change would silently stay as it is.

    Only in the configuration: the environment is shared, with programs that have variables of their own.
    """
    for name in sorted(name for name in app.config if name.startswith("AUTHGUARD_")):
        if name.removeprefix("AUTHGUARD_") not in NAMES:
            known = ", ".join(f"AUTHGUARD_{each}" for each in sorted(NAMES))
            raise ConfigurationError(f"{name} is not known; use {known}")


def _get(app: Flask, name: str) -> Any:
    value = app.config.get(f"AUTHGUARD_{name}")
    return os.environ.get(f"AUTHGUARD_{name}") if value is None else value


def _store(app: Flask) -> str | Store:
    told = _get(app, "STORE")
    if told is None or isinstance(told, str):  # not `or`: an empty store is false
        return told or _default_store(app)
    if not hasattr(told, "decide"):
        raise ConfigurationError("AUTHGUARD_STORE must be a URL, such as 'redis://host:6379/0', or a store of your own")
    own: Store = told
    return own


def _is_file(store: str | Store) -> bool:
    return isinstance(store, str) and store.startswith("sqlite:")


def _default_store(app: Flask) -> str:
    """Return the URL of a file in the instance folder, where every worker of this machine finds it."""
    folder = Path(app.instance_path).absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"the instance folder {folder} can't be made ({type(error).__name__})"
        raise ConfigurationError(f"{reason}; make it writable or set AUTHGUARD_STORE") from None
    return f"sqlite:///{folder / 'authguard.sqlite3'}"


def _store_check(app: Flask) -> StartCheck:
    try:
        return StartCheck(str(_get(app, "STORE_CHECK") or StartCheck.REFUSE))
    except ValueError:
        raise ConfigurationError(f"AUTHGUARD_STORE_CHECK must be one of {', '.join(StartCheck)}") from None


def _workers_of_server() -> int:
    """Return how many workers gunicorn, and servers that follow it, were told to start through the environment."""
    told = os.environ.get("WEB_CONCURRENCY", "")
    return int(told) if told.isascii() and told.isdecimal() and int(told) else WORKERS


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def _secret(app: Flask) -> bytes:
    own = _get(app, "SECRET")
    if own:
        return _long("AUTHGUARD_SECRET", own)
    if app.secret_key:
        return derive_secret(_long("SECRET_KEY", app.secret_key))
    raise ConfigurationError(
        "authguard needs a secret that all workers share: before AuthGuard(app), set AUTHGUARD_SECRET, or Flask's "
        f"SECRET_KEY, to {_RANDOM}."
    )


def _long(name: str, value: Any) -> bytes:
    secret = _bytes(value)
    if len(secret) < SHORTEST_SECRET:
        raise ConfigurationError(f"{name} is shorter than {SHORTEST_SECRET} bytes; set it to {_RANDOM}.")
    return secret


def _previous_secrets(app: Flask) -> tuple[bytes, ...]:
    own, name = _get(app, "PREVIOUS_SECRETS"), "a secret of AUTHGUARD_PREVIOUS_SECRETS"
    if own:
        if not isinstance(own, str | Sequence) or isinstance(own, bytes):
            raise ConfigurationError("AUTHGUARD_PREVIOUS_SECRETS must be a list, or text with commas between them")
        return tuple(_long(name, each) for each in (own.split(",") if isinstance(own, str) else own))
    if _get(app, "SECRET"):
        return ()
    fallbacks = app.config.get("SECRET_KEY_FALLBACKS") or ()
    if not isinstance(fallbacks, Sequence) or isinstance(fallbacks, str | bytes):
        raise ConfigurationError("SECRET_KEY_FALLBACKS must be a list of former keys, as Flask itself wants it")
    return tuple(derive_secret(_long("a key of SECRET_KEY_FALLBACKS", each)) for each in fallbacks)


def _trust(app: Flask, in_file: ProxyTrust | None) -> ProxyTrust:
    value = _get(app, "PROXIES")
    if value is None:
        return in_file or ProxyTrust.none()
    if in_file is not None:
        raise ConfigurationError("AUTHGUARD_PROXIES and [proxies] in authguard.toml both say whom to trust; keep one")
    if isinstance(value, ProxyTrust):
        return value
    if isinstance(value, (str, Mapping)):
        return ProxyTrust.parse(value)
    raise ConfigurationError("AUTHGUARD_PROXIES must be the name of a preset, a table, or a ProxyTrust")


def _policy_file(app: Flask) -> Path | None:
    named = _get(app, "CONFIG")
    if named:
        return Path(app.root_path, str(named))
    looked = [Path(folder, FILE) for folder in (app.instance_path, app.root_path)]
    found = next((path for path in looked if path.is_file()), None)
    if found is None and Path(FILE).is_file():
        # Whoever ran the application here would take it for the one in force.
        raise ConfigurationError(
            f"{Path(FILE).absolute()} is not read; move it to {looked[1]}, or set AUTHGUARD_CONFIG to its path"
        )
    return found


def _debug_endpoint(app: Flask) -> str | None:
    path = _get(app, "DEBUG_ENDPOINT")
    if not path:
        return None
    if not isinstance(path, str) or not path.startswith("/"):
        raise ConfigurationError("AUTHGUARD_DEBUG_ENDPOINT must be a path that begins with a slash")
    return path


def _duration(app: Flask, name: str, default: str) -> int:
    try:
        return parse_duration(str(_get(app, name) or default))
    except ValueError as error:
        raise ConfigurationError(f"AUTHGUARD_{name} is wrong: {error}") from None


def _device_life(app: Flask) -> int:
    life = _duration(app, "DEVICE_LIFE", "180d")
    if life < SHORTEST_DEVICE_LIFE:
        raise ConfigurationError("AUTHGUARD_DEVICE_LIFE must be at least 1h, or no device is known for long")
    return life


def _whole(app: Flask, name: str, default: int) -> int:
    value = _get(app, name)
    try:
        number = default if value is None else int(value)
    except (TypeError, ValueError, OverflowError):
        number = 0
    if number < 1 or isinstance(value, bool | float):
        raise ConfigurationError(f"AUTHGUARD_{name} must be a whole number of at least 1")
    return number
