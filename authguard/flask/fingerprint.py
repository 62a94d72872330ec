"""Fingerprint: whether all processes of an application have one secret, as far as their store has seen."""

from __future__ import annotations

import hashlib

from authguard.errors import StoreError
from authguard.events import Misconfigured, Observer
from authguard.identity import Pseudonymizer
from authguard.limits import Algorithm, Counter, Limit, Plan
from authguard.limits.plan import KEY_SIZE, TAG_SIZE
from authguard.stores import Store

CODE = "many_secrets"
ADVICE = (
    "The application was started with more than three different secrets within an hour: processes that have different "
    "ones count apart, and each restart begins anew; make one secret, and set SECRET_KEY or AUTHGUARD_SECRET to it."
)
MOST = Limit.parse("3/1h", Algorithm.DISTINCT)
"""Secrets within an hour. A rotation has two; one that is drawn at each start has more with the fourth worker."""


def compare_secrets(store: Store, pseudonymizer: Pseudonymizer, namespace: str, observer: Observer) -> None:
    """Leave a fingerprint of the secret in ``store``, and tell ``observer`` where too many different ones are.

    A store that can't be asked is told of by others.
    """
    key = hashlib.sha256(b"authguard secrets of " + namespace.encode("utf-8", "surrogatepass")).digest()
    member = pseudonymizer.tag("fingerprint", size=TAG_SIZE)
    try:
        decision = store.decide(Plan((Counter("secrets", key[:KEY_SIZE], MOST, member=member),)))
    except StoreError:
        return
    if not decision.allowed:
        observer.observe(Misconfigured(CODE, ADVICE, True))
