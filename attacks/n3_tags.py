"""N3: one mailbox under ever new tags and dots, for an account each."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import address
from attacks.signups import ask, confirm
from attacks.target import Setup, Target

SPELLINGS = (
    *(f"shared.mailbox+{number}@gmail.com" for number in range(8)),
    "sharedmailbox@gmail.com",
    "s.h.a.r.e.d.mailbox@gmail.com",
    "SharedMail.Box@googlemail.com",
    "shared.mailbox@gmail.com",
)
OTHERS = "".join(
    f"[policies.{policy}.layers.{layer}]\nremove = true\n"
    for policy, layers in (("signup", ("account",)), ("otp-send", ("account", "account-a-day")))
    for layer in layers
)
"""The limits of asking: the same on both sides, they would stop the attack before there is anything to confirm."""


def run(target: Target) -> int:
    """Sign up by each spelling, from ever new addresses, and count the accounts."""
    made = 0
    for number, spelling in enumerate(SPELLINGS):
        client = target.client(address(number))
        asked = ask(client, f"tag {number}", spelling)
        made += asked.right and confirm(client, asked).right
    return made


TAGS = Attack(
    "N3",
    "one mailbox, many sign-ups",
    "mailbox-place",
    Criterion("accounts of one mailbox", wins=len(SPELLINGS), loses=(1, 1)),
    run,
    Setup(proxied=True, config=OTHERS),
)
