"""Client addresses, on chains that no vector lists."""

from __future__ import annotations

from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.identity import AddressStatus, ClientAddress, ProxyTrust, client_address

XFF = ProxyTrust.cidr(["10.0.0.0/8"])
FORWARDED = ProxyTrust.parse({"mode": "cidr", "header": "forwarded", "trusted": ["10.0.0.0/8"]})


def see(trust: ProxyTrust, *lines: str, peer: str = "10.0.0.1") -> tuple[str | None, str]:
    client = client_address(peer, [(trust.header, line) for line in lines], trust)
    return client.ip, client.status.value


@pytest.mark.parametrize(
    ("lines", "ip", "status"),
    [
        (["10.0.0.7, 10.0.0.8"], "10.0.0.7", "ok"),  # every hop is trusted: the left-most is the client
        (["6.6.6.6\t,\t203.0.113.7"], "203.0.113.7", "ok"),
        (["6.6.6.6;203.0.113.7"], "10.0.0.1", "degraded"),
        (["6.6.6.6 203.0.113.7"], "10.0.0.1", "degraded"),
        (["203.0.113.7:99999"], "203.0.113.7", "ok"),  # RFC 7239 section 6: a port is one to five digits
        (["203.0.113.7:"], "10.0.0.1", "degraded"),
        (["203.0.113.7:8x"], "10.0.0.1", "degraded"),
        (["203.0.113.7/32"], "10.0.0.1", "degraded"),
        (["203.0.113.7%eth0"], "10.0.0.1", "degraded"),
        (["[::1%eth0]:80"], "::1", "ok"),
        (["::ffff:203.0.113.007"], "10.0.0.1", "degraded"),
        (["::ffff:0.0.0.0"], "10.0.0.1", "degraded"),
        (["ff02::1"], "10.0.0.1", "degraded"),
        (["224.0.0.1"], "10.0.0.1", "degraded"),
        (["255.255.255.255"], "10.0.0.1", "degraded"),
        (["1\u0662.1.1.1"], "10.0.0.1", "degraded"),
        (["203.0.113.7", "\udcff"], "10.0.0.1", "degraded"),
        (["1." * 5000 + "203.0.113.7"], "10.0.0.1", "degraded"),
        (["203.0.113.7" + " " * 9000], "10.0.0.1", "degraded"),
        ([" " * 9000 + "203.0.113.7"], "10.0.0.1", "degraded"),  # longer than what is looked at
        (["6" * 9000 + ",203.0.113.7"], "203.0.113.7", "ok"),
    ],
)
def test_x_forwarded_for(lines: list[str], ip: str, status: str) -> None:
    assert see(XFF, *lines) == (ip, status)


def test_an_address_cut_in_two_by_the_length_limit_is_not_another_address() -> None:
    for width in range(8170, 8200):
        ip, status = see(XFF, "198.51.100.255" + "," * (width - 20) + "10.0.0.2")
        assert (ip, status) in [("198.51.100.255", "ok"), ("10.0.0.2", "degraded")]


@pytest.mark.parametrize(
    ("lines", "ip", "status"),
    [
        (["for=6.6.6.6, for=203.0.113.7 ; proto=https"], "203.0.113.7", "ok"),
        (["for=203.0.113.7;;by=x;"], "203.0.113.7", "ok"),  # RFC 7239 section 4: pairs may be empty
        ([";for=203.0.113.7"], "203.0.113.7", "ok"),
        (["proto=https"], "10.0.0.1", "degraded"),
        (["for=203.0.113.7;junk"], "10.0.0.1", "degraded"),
        (['for=203.0.113.7;x="open'], "10.0.0.1", "degraded"),
        (['for="203.0.113.7"x'], "10.0.0.1", "degraded"),
        (['for="unknown"'], "10.0.0.1", "degraded"),
        (["for=unknown, for=10.0.0.2"], "10.0.0.2", "degraded"),
        (['for="203.0.113.7\\"'], "10.0.0.1", "degraded"),
        (['for="\\2\\0\\3.0.113.7"'], "203.0.113.7", "ok"),
        (['x="\\", for=6.6.6.6", for=203.0.113.7'], "203.0.113.7", "ok"),
        (['"', 'for="[2001:db8::7]:80"'], "2001:db8::7", "ok"),  # a quote the client left open in a line of its own
        (['for=6.6.6.6;x="', 'for=203.0.113.7;host="a,b"'], "203.0.113.7", "ok"),
        (['for=6.6.6.6;x="\\', "for=203.0.113.7"], "203.0.113.7", "ok"),
        (['for=6.6.6.6, for=203.0.113.7;host="a\\"b,for=7.7.7.7"'], "203.0.113.7", "ok"),
        (["for=203.0.113.7" + ";a=b" * 30], "10.0.0.1", "degraded"),  # more pairs than any proxy writes
        ([", ,,for=203.0.113.7,, ,"], "203.0.113.7", "ok"),
        (["for=6.6.6.6,\0"], "10.0.0.1", "degraded"),
    ],
)
def test_forwarded(lines: list[str], ip: str, status: str) -> None:
    assert see(FORWARDED, *lines) == (ip, status)


def test_counting_hops() -> None:
    trust = ProxyTrust.count(2, ["10.0.0.0/8"])
    assert see(trust, "6.6.6.6, 203.0.113.7, 198.51.100.1") == ("203.0.113.7", "ok")
    assert see(trust, "203.0.113.7") == ("10.0.0.1", "degraded")
    assert see(trust, ",") == ("10.0.0.1", "no_header")
    assert see(trust) == ("10.0.0.1", "no_header")
    assert see(trust, "garbage, 198.51.100.1") == ("10.0.0.1", "degraded")
    assert see(trust, "203.0.113.7, garbage") == ("203.0.113.7", "ok")
    assert see(trust, "9" * 9000 + ", 198.51.100.1") == ("10.0.0.1", "degraded")


def test_a_bounded_walk_ends_at_the_nth_proxy() -> None:
    trust = ProxyTrust.cidr(["10.0.0.0/8"], n=2)
    assert see(trust, "6.6.6.6, 10.0.0.9, 10.0.0.2") == ("10.0.0.9", "ok")
    assert see(trust, "6.6.6.6, 203.0.113.7") == ("203.0.113.7", "ok")


def test_one_address_in_a_header() -> None:
    trust = ProxyTrust.single("X-Real-IP", ["10.0.0.0/8"])
    assert see(trust, "203.0.113.7") == ("203.0.113.7", "ok")
    assert see(trust, "203.0.113.7", "203.0.113.7") == ("10.0.0.1", "degraded")
    assert see(trust, "203.0.113.7, 203.0.113.7") == ("10.0.0.1", "degraded")


def test_unix_sockets() -> None:
    trust = ProxyTrust.parse({"mode": "cidr", "trusted": ["10.0.0.0/8"], "trust_unix": True})
    for peer in ("", "@", "unix:", "unix:/run/app.sock", "localhost"):
        assert see(trust, "6.6.6.6, 203.0.113.7", peer=peer) == ("203.0.113.7", "ok")
        assert see(trust, peer=peer) == (None, "no_peer")
        assert see(trust, "garbage", peer=peer) == (None, "no_peer")
    assert client_address(None, [("x-forwarded-for", "203.0.113.7")], trust).ip == "203.0.113.7"
    assert see(trust, "203.0.113.7", peer="::") == (None, "no_peer")
    assert client_address(None, [], ProxyTrust()) == ClientAddress(None, AddressStatus.NO_PEER)


def test_which_addresses_an_allow_list_may_look_at() -> None:
    may = {status: ClientAddress("10.0.0.1", status).may_be_exempted for status in AddressStatus}
    assert [status.value for status, yes in may.items() if yes] == ["direct", "untrusted_peer", "ok"]


def test_an_address_hides_itself() -> None:
    assert "203" not in repr(client_address("203.0.113.7", [], ProxyTrust()))


HOSTILE = [
    "10.0.0.2, " * 100_000,
    "," * 1_000_000,
    '"' * 1_000_000,
    '\\"' * 500_000,
    '"a",' * 250_000,
    'a="b";' * 170_000,
    "for=1.1.1.1;" + " " * 1_000_000 + "x",
    "for=1.1.1.1;" + " " * 8_100 + "x",
    'for="' + "\\a" * 4_090,
    "a" * 8_192,
    "\0" * 1_000_000,
    "\udcff" * 1_000_000,
    "9" * 1_000_000,
    ":" * 8_192,
]


@pytest.mark.serial
@pytest.mark.parametrize(
    "trust", [XFF, FORWARDED, ProxyTrust.count(20), ProxyTrust.single("x-real-ip", ["10.0.0.0/8"])]
)
def test_a_hostile_header_takes_a_millisecond_at_most(trust: ProxyTrust) -> None:
    for text in HOSTILE:
        best = min(_seconds(trust, text) for _ in range(5))
        assert best < 0.001, (trust.mode, text[:10], best)


def _seconds(trust: ProxyTrust, text: str) -> float:
    start = thread_time()
    client = client_address("10.0.0.1", [(trust.header, text)], trust)
    seconds = thread_time() - start
    assert client.ip in ("10.0.0.1", "10.0.0.2")
    return seconds


ADDRESS = st.sampled_from(["6.6.6.6", "203.0.113.7", "10.0.0.2", "2001:db8::7", "[2001:db8::7]:80", "unknown", ""])
CLAIM = st.text(alphabet='",\\;= for1.:[]x', max_size=40) | st.lists(ADDRESS, max_size=6).map(",".join)


@given(claim=CLAIM)
def test_no_claim_changes_what_the_proxy_appended(claim: str) -> None:
    for lines in ([claim, "203.0.113.99"], [f"{claim}, 203.0.113.99"]):
        assert see(XFF, *lines) == ("203.0.113.99", "ok")
        assert see(ProxyTrust.count(1), *lines) == ("203.0.113.99", "ok")
    for appended in ("for=203.0.113.99", 'for="203.0.113.99:4711";by="[::1]"', 'for=203.0.113.99;host="a,b"'):
        assert see(FORWARDED, f"{claim}, {appended}") == ("203.0.113.99", "ok")
        assert see(FORWARDED, claim, appended) == ("203.0.113.99", "ok")
