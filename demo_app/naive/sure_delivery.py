"""Sure delivery: a provider that doesn't answer has sent nothing."""

from __future__ import annotations

from authguard.delivery import Deliver, Message, NotDelivered

DELIVERY = "DEMO_DELIVERY"
"""The setting that names what stands between the sender and the provider."""


class SureDelivery:
    """Takes every failure for a certain one, so that the money comes back."""

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver

    def deliver(self, message: Message) -> None:
        """Hand ``message`` over."""
        try:
            self._deliver.deliver(message)
        except Exception:  # noqa: BLE001 - that is the mistake
            raise NotDelivered("failed") from None


SURE = {DELIVERY: SureDelivery}
