"""Fuzzing: malformed tokens, links, codes and destinations; one answer, no error, and nothing consumed.

Run it with ``python -m tests.otp.fuzz --inputs 1000000``; a failure prints the input and the seed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from random import Random

from authguard.delivery import Channel
from authguard.errors import IdentityError
from authguard.otp.destination import channel_of, read_destination
from authguard.otp.digits import is_code
from tests.identity.fuzz import mutate
from tests.otp.rig import Person, Rig

OWNER = Person()
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
DESTINATIONS = ("owner@example.com", "Own.Er+tag@gmail.com", "+491712345678", "0171 2345678", "tel:+49-171-2345678")


class Target:
    """A challenge that is waiting for its code while everything is thrown at it."""

    def __init__(self) -> None:
        self.rig = Rig()
        self.token = self.rig.ask(OWNER).token
        self.code, self.link = self.rig.code(), self.rig.link()

    def token_or_link(self, random: Random) -> None:
        """Try something like a token, or like a link, in every place that takes one."""
        good = random.choice((self.token, self.link))
        text = mutate(random, good)
        if random.random() < 0.3:
            at = random.randrange(len(good))
            text = good[:at] + random.choice(LETTERS) + good[at + 1 :]
        if text in (self.token, self.link):
            return
        self.expect(text, self.code)
        assert self.rig.following.read(text) is None, text
        assert self.rig.follow(OWNER, text).reader is None, text

    def malformed_code(self, random: Random) -> None:
        """Try something like a code, or of another kind, with the good token."""
        given: object = mutate(random, self.code)
        if random.random() < 0.2:
            given = random.choice(([given], {"code": given}, None, 123456, 1e6, b"123456", True, [*self.code]))
        if not is_code(given, 6):
            self.expect(self.token, given)

    def destination(self, random: Random) -> None:
        """Read something like an address: a key and an address of the same key, or a refusal."""
        text = mutate(random, random.choice(DESTINATIONS))
        for channel in {channel_of(text), random.choice(list(Channel))}:
            try:
                found = read_destination(channel, text, random.choice((None, "DE", "US")))
            except IdentityError:
                continue
            assert read_destination(channel, found.address, "DE").key == found.key, text

    def expect(self, token: object, code: object) -> None:
        """Check that the answer is the one that every wrong code gets."""
        checked = self.rig.check(OWNER, token, code)
        assert (checked.right, checked.refused) == (False, None), (token, code)

    def finish(self) -> None:
        """Check that nothing was consumed: the code is good after all that."""
        assert self.rig.right(OWNER, self.token, self.code)
        self.rig.close()


def run(inputs: int, seed: int) -> None:
    """Try ``inputs`` inputs; raises ``AssertionError`` with the seed of the one that broke a rule."""
    random, target = Random(seed), Target()
    kinds: tuple[Callable[[Random], None], ...] = (target.token_or_link, target.malformed_code, target.destination)
    for number in range(inputs):
        try:
            random.choice(kinds)(random)
        except Exception as failure:
            raise AssertionError(f"input {number} of seed {seed}: {failure!r}") from failure
        target.rig.recorder.events.clear()
    target.finish()


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    run(options.inputs, options.seed)
    sys.stdout.write(f"{options.inputs} inputs held with seed {options.seed}\n")


if __name__ == "__main__":
    main()
