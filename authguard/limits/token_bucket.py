"""Token bucket: ``burst`` tokens at first, ``amount`` more every ``period`` up to ``burst``; a charge takes its cost.

It is the leaky bucket's mirror: the tokens are the room that is left there, and the refill is the leak. The state is
a leaky bucket's.
"""

from __future__ import annotations

from authguard.limits.leaky_bucket import count, merge

__all__ = ["count", "merge"]
