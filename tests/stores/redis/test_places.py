"""Every kind of place at which a standalone server may be: TCP, a unix socket, TLS, behind a password, as a user."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from authguard.errors import StoreUnavailable
from authguard.limits import Outcome
from authguard.stores import open_store
from tests.servers.redis import RedisServer
from tests.stores.redis.plans import attempts, login

NEEDED = "+evalsha +script|load +mget +mset +set +setrange +getrange +strlen +append +pexpireat +bitfield +del +time"
PLACES: dict[str, Callable[[], RedisServer]] = {
    "tcp": RedisServer,
    "password": lambda: RedisServer(password="p@ss:w/rd"),
    "user": lambda: RedisServer(acl=f"guard on >p@ss/word ~{{ag}}* {NEEDED}"),
    "unix": lambda: RedisServer(unix=True, password="secret"),
    "tls": lambda: RedisServer(tls=True, password="secret"),
}


@pytest.mark.parametrize("place", PLACES)
def test_counts_at_any_place(place: str) -> None:
    with PLACES[place]() as server:
        store = open_store(server.url, deadline=2_000_000)
        assert [store.decide(attempts("a", "b")).allowed for _ in range(4)] == [True, True, True, False]
        receipt = store.decide(login("c")).receipt
        assert receipt is not None
        assert store.settle(receipt, Outcome.SUCCESS)
        assert store.forget([b"a".ljust(16, b".")]) == 1
        assert store.now() > 0
        store.close()


def test_a_database_of_its_own() -> None:
    with RedisServer() as server:
        one, other = open_store(server.url[:-1] + "1"), open_store(server.url[:-1] + "2")
        assert one.decide(attempts("a", limit="1/1h")).allowed
        assert other.decide(attempts("a", limit="1/1h")).allowed
        assert not one.peek(attempts("a", limit="1/1h")).allowed
        one.close()
        other.close()


def test_a_wrong_password_is_not_repeated_in_the_message() -> None:
    with RedisServer(password="right") as server:
        store = open_store(server.url.replace("right", "wr0ng-secret"))
        with pytest.raises(StoreUnavailable, match="refused the user name or the password") as raised:
            store.now()
        assert "wr0ng-secret" not in str(raised.value)


def test_a_certificate_of_another_authority_is_refused() -> None:
    with RedisServer(tls=True) as server, RedisServer(tls=True) as other:
        assert server.certificates is not None
        assert other.certificates is not None
        url = server.url.replace(str(server.certificates.authority), str(other.certificates.authority))
        with pytest.raises(StoreUnavailable, match="certificate verify failed"):
            open_store(url, deadline=2_000_000).now()
