"""Short articles of a news agency: 11,228 texts on 46 topics."""

from typing import Any

import numpy as np

from minitape.keras.datasets.storage import Split, arrays, shuffled
from minitape.keras.datasets.texts import TextOptions, lists, word_index


def load_data(
    path: str = "reuters.npz",
    num_words: int | None = None,
    skip_top: int = 0,
    maxlen: int | None = None,
    test_split: float = 0.2,
    seed: int = 113,
    start_char: int | None = 1,
    oov_char: int | None = 2,
    index_from: int = 3,
) -> Split:
    """Load short news articles as lists of word indices.

    Args:
        path: Name of the file in Keras's directory.
        num_words: Words whose index is at least this number are replaced; None keeps all words.
        skip_top: Words whose index is below this number are replaced.
        maxlen: Texts with this many words or more are removed; None keeps all texts.
        test_split: Fraction of the examples for the test set.
        seed: Seed for shuffling the texts, which determines the test set.
        start_char: Index with which each text starts, or None.
        oov_char: Index that replaces the excluded words; None removes these words instead.
        index_from: Offset that is added to the indices of words.

    Returns:
        ((x_train, y_train), (x_test, y_test)): object arrays of lists, and indices of topics, int64 of shape [n].

    Source: https://keras.io/api/datasets/reuters/
    """
    found = arrays(
        path, "reuters.npz", "d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916"
    )
    options = TextOptions(num_words, skip_top, maxlen, start_char, oov_char, index_from)
    x, y = shuffled(np.random.RandomState(seed), found["x"], found["y"])
    texts, y = options.without_long_texts(options.numbered(x), y)
    known = options.replace_excluded_words(texts)
    many = int(len(known) * (1 - test_split))
    return (lists(known[:many]), y[:many]), (lists(known[many:]), y[many:])


def get_word_index(path: str = "reuters_word_index.json") -> dict[str, Any]:
    """Return the indices of the words, without the offset `index_from`.

    Args:
        path: Name of the file in Keras's directory.

    Returns:
        A dict from words to indices.

    Source: https://keras.io/api/datasets/reuters/
    """
    return word_index(path, "reuters_word_index.json", "4d44cc38712099c9e383dc6e5f11a921")


def get_label_names() -> tuple[str, ...]:
    """Return the names of the topics, in the order of their indices.

    Returns:
        A tuple of strings.

    Source: https://keras.io/api/datasets/reuters/
    """
    return _TOPICS


_TOPICS = (
    *("cocoa", "grain", "veg-oil", "earn", "acq", "wheat", "copper", "housing", "money-supply"),
    *("coffee", "sugar", "trade", "reserves", "ship", "cotton", "carcass", "crude", "nat-gas"),
    *("cpi", "money-fx", "interest", "gnp", "meal-feed", "alum", "oilseed", "gold", "tin"),
    *("strategic-metal", "livestock", "retail", "ipi", "iron-steel", "rubber", "heat", "jobs"),
    *("lei", "bop", "zinc", "orange", "pet-chem", "dlr", "gas", "silver", "wpi", "hog", "lead"),
)

__all__ = ["get_label_names", "get_word_index", "load_data"]
