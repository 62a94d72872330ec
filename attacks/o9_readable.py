"""O9: what answers, cookies, logs and the store say about codes, secrets and people."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterable, Iterator

from attacks.attack import Attack, Criterion
from attacks.browser import RESET, Browser, Mailbox, read_code, read_link, wrong
from attacks.client import Answer, Broken
from attacks.code_setup import PLAIN
from attacks.people import ALICE, BOB, CAROL, ELENI, MALLORY, Person
from attacks.signups import PASSWORD, sign_up
from attacks.target import Target

NEWCOMER, TYPED = "newcomer@example.com", "what bob mistyped that day"
PHONES = ("12015550123", "2015550123")


def run(target: Target) -> int:
    """Send codes to mailboxes and a phone and use them; count the places where any of it can be read."""
    target.client(BOB.address).login(BOB.contact, TYPED)
    newcomer = Browser(target.client("198.51.107.80"))
    if not sign_up(newcomer, target, "newcomer", NEWCOMER).right:
        raise Broken("the newcomer could not sign up")
    told, codes, links = 0, [], []
    for person, path in ((ALICE, "/code-login"), (CAROL, "/code-login"), (ELENI, RESET)):
        browser = Browser(target.client(MALLORY.address))
        answers = [browser.request(person.contact, path)]
        text = Mailbox(target, person.contact).next_text(0)
        code, token = read_code(text), str(answers[0].document["token"])
        answers += [browser.enter(person.contact, token, each) for each in (wrong(code, 0), code)]
        told += sum(_has([code], place) for answer in answers for place in _told(answer))
        codes.append(code)
        links.append(read_link(text).rpartition("/")[2])
    private = [*codes, *links, *PHONES, TYPED, PASSWORD, NEWCOMER, *_personal(ALICE, BOB, CAROL, ELENI, MALLORY)]
    return told + sum(_has(private, place) for place in _kept(target))


def _personal(*people: Person) -> Iterator[str]:
    for person in people:
        yield from (person.contact, person.password, person.address)


def _told(answer: Answer) -> Iterator[bytes]:
    """Yield what an answer says, and what its signed cookies hold."""
    yield answer.body
    for value in (*answer.headers.values(), *answer.cookies.values()):
        yield value.encode()
        yield unfold(value)


def unfold(text: str) -> bytes:
    """Return what the first part of a signed cookie holds."""
    packed = text.startswith(".")
    payload = text.lstrip(".").partition(".")[0].rstrip("=")
    try:
        plain = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
        return zlib.decompress(plain) if packed else plain
    except (ValueError, zlib.error):
        return b""


def _kept(target: Target) -> Iterator[bytes]:
    """Yield all that the demo has printed, its server and its application too, and all that its store holds."""
    yield target.site.log.read_bytes()
    if target.redis is not None:
        yield target.redis.contents()
    for file in target.site.counters:
        yield file.read_bytes()


def _has(private: Iterable[str], place: bytes) -> bool:
    """Return whether any of ``private`` stands in ``place``, not as a part of a longer number."""
    return any(re.search(rb"(?<![0-9])%b(?![0-9])" % re.escape(text.encode()), place) for text in private)


READABLE = Attack(
    "O9",
    "codes and people in what is told and kept",
    "no-clear-codes",
    Criterion("places where one can be read", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
