"""Random generators that depend on names, not on the order of calls.

Arms of a triple share their prefix only if a draw made in one arm cannot shift the draws of a later step, so each
decision gets a generator of its own.
"""

from __future__ import annotations

import hashlib
import random

Rng = random.Random


def rng_for(*names: str | int) -> Rng:
    """A generator that is the same for the same names, in any process and at any worker count."""
    return random.Random(seed_for(*names))  # not for cryptography


def seed_for(*names: str | int) -> int:
    """A 64-bit seed derived from names."""
    text = "\x1f".join(str(name) for name in names)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
