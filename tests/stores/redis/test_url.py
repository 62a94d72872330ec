"""Reading URLs: what each part means, and the sentence that an unusable one gets."""

from __future__ import annotations

import pytest

from authguard.errors import ConfigurationError
from authguard.stores.redis_url import RedisURL, Topology
from authguard.stores.url import SCHEMES

SECRET = "s3cret/@:?"
QUOTED = "s3cret%2F%40%3A%3F"


def test_standalone() -> None:
    url = RedisURL.parse(f"redis://user:{QUOTED}@redis.example:7000/3?tag=shop-1")
    assert (url.topology, url.addresses, url.db, url.tag) == (
        Topology.STANDALONE,
        (("redis.example", 7000),),
        3,
        b"{shop-1}",
    )
    assert (url.username, url.password, url.tls) == ("user", SECRET, None)


def test_defaults() -> None:
    url = RedisURL.parse("redis://localhost")
    assert (url.addresses, url.db, url.tag) == ((("localhost", 6379),), 0, b"{ag}")
    assert (url.username, url.password) == (None, None)


def test_ipv6() -> None:
    assert RedisURL.parse("redis://:p@[::1]:7000").addresses == (("::1", 7000),)


def test_unix() -> None:
    url = RedisURL.parse(f"unix://:{QUOTED}@/run/redis/my%20redis.sock?db=2")
    assert (url.addresses, url.password, url.db) == ((("/run/redis/my redis.sock", 0),), SECRET, 2)


def test_tls() -> None:
    url = RedisURL.parse("rediss://localhost?ssl_ca_certs=%2Fetc%2Fca.pem&unsafe_skip_hostname=yes")
    assert url.tls == {"ssl_ca_certs": "/etc/ca.pem", "ssl_check_hostname": False}


def test_sentinel() -> None:
    url = RedisURL.parse(f"redis+sentinel://u:p@a:1,b/service/4?sentinel_username=su&sentinel_password={QUOTED}")
    assert (url.topology, url.addresses) == (Topology.SENTINEL, (("a", 1), ("b", 26379)))
    assert (url.service, url.db, url.sentinel_username, url.sentinel_password) == ("service", 4, "su", SECRET)


def test_cluster() -> None:
    url = RedisURL.parse("rediss+cluster://a:1,b:2")
    assert (url.topology, url.addresses, url.tls) == (Topology.CLUSTER, (("a", 1), ("b", 2)), {})
    assert url.apart is None
    assert RedisURL.parse("redis+cluster://a?apart=all").apart == b"{all}"


@pytest.mark.parametrize("scheme", SCHEMES[2:])
def test_every_scheme_that_is_listed_can_be_read(scheme: str) -> None:
    hosts = "/run/redis.sock" if scheme == "unix" else "a/service" if "sentinel" in scheme else "a"
    assert RedisURL.parse(f"{scheme}://{hosts}").addresses


@pytest.mark.parametrize("scheme", ["redis", "rediss", "redis+sentinel", "redis+cluster"])
def test_valkey_is_spoken_to_as_redis(scheme: str) -> None:
    path = "/service" if "sentinel" in scheme else ""
    assert RedisURL.parse(f"{scheme.replace('redis', 'valkey')}://a{path}") == RedisURL.parse(f"{scheme}://a{path}")


def test_no_repr_has_a_password() -> None:
    url = RedisURL.parse(f"redis+sentinel://u:{QUOTED}@a/service?sentinel_password=0ther")
    assert SECRET not in repr(url)
    assert "0ther" not in repr(url)
    assert "u:" not in url.place


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("http://u:s3cret@a", "'http' is no scheme"),
        ("redis://u:s3cret@", "names no host"),
        ("redis://u:s3cret@a,b", "several hosts need"),
        ("redis://u:s3cret@a:many", "can't be read"),
        ("redis://u:s3cret@a:70000", "can't be read"),
        ("redis://u:s3cret@a/first", "'first' is not the number"),
        ("redis://u:s3cret@a/1/2", "nothing but the number of a database"),
        ("redis://u:s3cret@a?socket_timeout=5", "unknown option 'socket_timeout'"),
        ("redis://u:s3cret@a?tag=a{b", "a tag is 1 to 32"),
        ("redis://u:s3cret@a?tag=", "a tag is 1 to 32"),
        ("redis://u:s3cret@a?ssl_ca_certs=x", "begins with rediss"),
        ("rediss://u:s3cret@a?ssl_ciper=x", "unknown option 'ssl_ciper'"),
        ("unix://u:s3cret@", "names the socket's path"),
        ("redis+sentinel://u:s3cret@a", "names its service"),
        ("redis+cluster://u:s3cret@a/1", "no database but 0"),
        ("redis://u:s3cret@a?apart=all", r"apart needs redis\+cluster"),
        ("redis+cluster://u:s3cret@a?apart=ag", "another tag than tag"),
        # A character that ends the host where it stands: what follows is neither an option nor a database.
        ("redis://:p?s3cret@a", "percent-encode"),
        ("redis://:12?s3cret=x@a", "percent-encode"),
        ("redis://:12/s3cret@a", "percent-encode"),
        ("redis://:12#s3cret@a", "percent-encode"),
        ("redis://:p@12#s3cret@a", "percent-encode"),
        ("redis+sentinel://:12/s3cret@a/service", "percent-encode"),
        ("unix://u:p?s3cret@/run/redis.sock", "percent-encode"),
    ],
)
def test_an_unusable_one_gets_a_sentence_without_its_password(text: str, sentence: str) -> None:
    with pytest.raises(ConfigurationError, match=sentence) as raised:
        RedisURL.parse(text)
    assert "s3cret" not in str(raised.value)
