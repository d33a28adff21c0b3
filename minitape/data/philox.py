"""Philox, a stateless random number generator. Block n, which has four numbers, is a function of the counter n and a key.

Each of ten rounds multiplies two halves of the counter by odd constants, swaps the high and low words of the products, and mixes
in the key. So any block of the stream can be computed independently of the others, and many blocks can be computed at once.

TensorFlow uses the same generator (4 words of 32 bits, 10 rounds), so with TensorFlow's keys a dataset gets TensorFlow's
order.

Source: Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (2011), section 3.3.
"""

from collections.abc import Iterator
from itertools import count

import numpy as np

from minitape.core.values import Array

_WORD = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MULTIPLIERS = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_KEY_STEPS = 0x9E3779B9, 0xBB67AE85
_ITERATIONS = 10
_AT_ONCE = 256


def numbers(key: int, stream: int) -> Iterator[int]:
    """Yield an endless sequence of uniformly distributed integers below 2³², different for each key and stream."""
    for block in count():
        counters = np.arange(block * _AT_ONCE, (block + 1) * _AT_ONCE, dtype=np.uint64)
        yield from scrambled(counters, key, stream).ravel().tolist()


def scrambled(counters: Array, key: int, stream: int) -> Array:
    """Return four random words below 2³² for each counter, in an array of shape [counters, 4]."""
    a, b = counters & _WORD, counters >> _HALF
    c = np.full_like(counters, stream & 0xFFFFFFFF)
    d = np.full_like(counters, stream >> 32 & 0xFFFFFFFF)
    low, high = key & 0xFFFFFFFF, key >> 32 & 0xFFFFFFFF
    for _ in range(_ITERATIONS):
        first, second = a * _MULTIPLIERS[0], c * _MULTIPLIERS[1]
        a, b = (second >> _HALF) ^ b ^ np.uint64(low), second & _WORD
        c, d = (first >> _HALF) ^ d ^ np.uint64(high), first & _WORD
        low, high = (low + _KEY_STEPS[0]) & 0xFFFFFFFF, (high + _KEY_STEPS[1]) & 0xFFFFFFFF
    return np.stack([a, b, c, d], axis=1)
