"""Region: where national phone numbers are dialled from; one for whoever counts them, pays for them and sends there."""

from __future__ import annotations

from authguard.errors import ConfigurationError
from authguard.policy.settings import Settings
from authguard.spend import Kind, read_channels


def one_region(settings: Settings, *, texts: bool) -> str | None:
    """Return the region that every policy and every channel of ``settings`` agrees on, ``None`` for none.

    A number that is read as one country's by a limit and as another's by the ledger would be counted as two, and might
    be sent to as a third. Raises ``ConfigurationError`` where a channel has a region that policies don't have, and,
    where ``texts`` are sent, for policies with several.
    """
    counted = {policy.default_region for policy in settings.policies.values() if policy.default_region is not None}
    names = " and ".join(sorted(counted))
    for channel in read_channels(settings.spend).values():
        paid = channel.default_region
        if channel.kind is Kind.PHONE and paid is not None and counted != {paid}:
            raise ConfigurationError(
                f"[spend.{channel.name}] reads national numbers as those of {paid}, and the policies as those of "
                f"{names or 'no country'}; say it once, as default_region in [identity]"
            )
    if texts and len(counted) > 1:
        raise ConfigurationError(
            f"the policies read national numbers as those of {names}, so that a text message might go to either; "
            "say it once, as default_region in [identity]"
        )
    return counted.pop() if len(counted) == 1 else None
