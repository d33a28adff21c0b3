"""Philox, compared with the known-answer tests of its authors (Random123, kat_vectors)."""

from itertools import islice

import numpy as np
import pytest

from minitape.data.philox import numbers, scrambled


@pytest.mark.parametrize(
    ("counter", "stream", "key", "words"),
    [
        (0, 0, 0, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        (2**64 - 1, 2**64 - 1, 2**64 - 1, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            0x85A308D3243F6A88,
            0x0370734413198A2E,
            0x299F31D0A4093822,
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
)
def test_counter_is_scrambled_to_the_known_words(
    counter: int, stream: int, key: int, words: str
) -> None:
    (found,) = scrambled(np.array([counter], np.uint64), key, stream)
    assert " ".join(f"{int(word):08x}" for word in found) == words


def test_blocks_are_consecutive() -> None:
    one_by_one = [
        int(word)
        for counter in range(600)
        for word in scrambled(np.array([counter], np.uint64), 7, 9)[0]
    ]
    assert list(islice(numbers(7, 9), 2400)) == one_by_one
