"""Hashed n-grams of a text: the one road from text to the numbers of the constraint classifier, in training and use."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from typing import Final

import numpy as np
import numpy.typing as npt
import re2

from mage_ml.runtime.evaluators.normalise import normalised

FEATURE_VERSION: Final = 1
BUCKETS: Final = 1 << 15
MAX_CHARS: Final = 4000
_NUMBER = re2.compile(r"[0-9]+(?:[.,][0-9]+)*")
_TOKEN = re2.compile(r"[a-z']+|#|\p{Han}|[^\s\p{L}\p{N}]")


def features_of(text: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:  # one vector in two parts
    """Buckets and weights of a text: words and Chinese characters, their pairs and triples, and parts of words.

    Numbers are one token, so that the classifier learns what is promised rather than how much. The weights are
    1 + log(count), scaled to length 1.

    Returns:
        Buckets, int64 [n], and weights, float32 [n]; both empty for a text without tokens.
    """
    tokens = _TOKEN.findall(_NUMBER.sub("#", normalised(text)[:MAX_CHARS].lower()))
    grams: Counter[int] = Counter()
    for size in (1, 2, 3):
        for start in range(len(tokens) - size + 1):
            grams[_bucket(f"{size}:" + " ".join(tokens[start : start + size]))] += 1
    for token in tokens:
        if len(token) > 4:
            padded = f"<{token}>"
            for start in range(len(padded) - 3):
                grams[_bucket("c:" + padded[start : start + 4])] += 1
    buckets = np.fromiter(grams, dtype=np.int64, count=len(grams))
    weights = np.fromiter((1.0 + math.log(count) for count in grams.values()), dtype=np.float32, count=len(grams))
    length = float(np.linalg.norm(weights))
    return buckets, weights / np.float32(length) if length else weights


def _bucket(gram: str) -> int:
    return zlib.crc32(gram.encode()) % BUCKETS
