"""Movie reviews labeled positive or negative: 25,000 for training, 25,000 for testing."""

from typing import Any

import numpy as np

from minitape.errors import TapeValueError
from minitape.keras.datasets.storage import Split, arrays, shuffled
from minitape.keras.datasets.texts import TextOptions, lists, word_index


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
    """Load movie reviews as lists of word indices.

    Args:
        path: Name of the file in Keras's directory.
        num_words: Words whose index is at least this number are replaced; None keeps all words.
        skip_top: Words whose index is below this number are replaced.
        maxlen: Texts with this many words or more are removed; None keeps all texts.
        seed: Seed for shuffling the texts.
        start_char: Index with which each text starts, or None.
        oov_char: Index that replaces the excluded words; None removes these words instead.
        index_from: Offset that is added to the indices of words.

    Returns:
        ((x_train, y_train), (x_test, y_test)): object arrays of lists, and labels 1 (positive) or 0, int64 of shape [n].

    Raises:
        ValueError: no review is shorter than `maxlen`.

    Source: https://keras.io/api/datasets/imdb/
    """
    found = arrays(
        path, "imdb.npz", "69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f"
    )
    options = TextOptions(num_words, skip_top, maxlen, start_char, oov_char, index_from)
    generator = np.random.RandomState(seed)
    x, y = shuffled(generator, found["x_train"], found["y_train"])
    x_test, y_test = shuffled(generator, found["x_test"], found["y_test"])
    train, y = options.without_long_texts(options.numbered(x), y)
    test, y_test = options.without_long_texts(options.numbered(x_test), y_test)
    if not train or not test:
        raise TapeValueError(
            f"With `maxlen={maxlen}`, the result would be empty, because no review has fewer words.",
            fix="pass `maxlen=200`",
        )
    known = options.replace_excluded_words(train + test)
    return (lists(known[: len(train)]), y), (lists(known[len(train) :]), y_test)


def get_word_index(path: str = "imdb_word_index.json") -> dict[str, Any]:
    """Return the indices of the words, without the offset `index_from`.

    Args:
        path: Name of the file in Keras's directory.

    Returns:
        A dict from words to indices.

    Source: https://keras.io/api/datasets/imdb/
    """
    return word_index(path, "imdb_word_index.json", "bfafd718b763782e994055a2d397834f")


__all__ = ["get_word_index", "load_data"]
