"""Notice: tells the owner of an account that somebody uses up its tries."""

from __future__ import annotations

from authguard.login.notices import Notice
from demo_app.accounts import account_named
from demo_app.contact import read_contact
from demo_app.outbox import send


def tell_owner(notice: Notice) -> None:
    """Put a message to the owner into the outbox."""
    account = account_named(notice.account)
    if account is not None:
        text = (
            "Somebody tries passwords on your Lantern account. If it isn’t you, there is nothing to do: they don’t fit."
        )
        send(read_contact(account.contact), text)
