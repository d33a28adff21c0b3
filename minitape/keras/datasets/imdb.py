"""Reviews of films: 25 000 to learn from, 25 000 for the test; good ones and bad ones."""

from typing import Any

import numpy as np

from minitape.errors import TapeValueError
from minitape.keras.datasets.storage import Split, arrays, shuffled
from minitape.keras.datasets.texts import Wishes, lists, word_index


def load_data(
    path: str = "imdb.npz",
    num_words: int | None = None,
    skip_top: int = 0,
    maxlen: int | None = None,
    seed: int = 113,
    start_char: int | None = 1,
    oov_char: int | None = 2,
    index_from: int = 3,
) -> Split:
    """Reviews as lists of word numbers in an array, and 1 for good ones, 0 for bad ones, int64 of shape [n].

    Args:
        path: The name of the file in Keras's folder.
        num_words: Numbers from here on are left out.
        skip_top: Numbers below are left out.
        maxlen: Only reviews with fewer words are kept.
        seed: Of the order.
        start_char: The number with which each review begins, or None.
        oov_char: The number that stands for words left out; None to drop them.
        index_from: How far the numbers of words are moved up.

    Raises:
        ValueError: no review is shorter than `maxlen`.

    Source: https://keras.io/api/datasets/imdb/
    """
    found = arrays(
        path, "imdb.npz", "69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f"
    )
    wishes = Wishes(num_words, skip_top, maxlen, start_char, oov_char, index_from)
    generator = np.random.RandomState(seed)
    x, y = shuffled(generator, found["x_train"], found["y_train"])
    x_test, y_test = shuffled(generator, found["x_test"], found["y_test"])
    train, y = wishes.short_ones(wishes.numbered(x), y)
    test, y_test = wishes.short_ones(wishes.numbered(x_test), y_test)
    if not train or not test:
        raise TapeValueError(
            f"No review is shorter than maxlen={maxlen}, so none was kept.", fix="maxlen=200"
        )
    known = wishes.of_known_words(train + test)
    return (lists(known[: len(train)]), y), (lists(known[len(train) :]), y_test)


def get_word_index(path: str = "imdb_word_index.json") -> dict[str, Any]:
    """Words, and their numbers before they are moved up.

    Source: https://keras.io/api/datasets/imdb/
    """
    return word_index(path, "imdb_word_index.json", "bfafd718b763782e994055a2d397834f")


__all__ = ["get_word_index", "load_data"]
