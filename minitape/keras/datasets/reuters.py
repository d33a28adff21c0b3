"""News of an agency: 11 228 short ones on 46 topics."""

from typing import Any

import numpy as np

from minitape.keras.datasets.storage import Split, arrays, shuffled
from minitape.keras.datasets.texts import Wishes, lists, word_index


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
    """News as lists of word numbers in an array, and the numbers of their topics, int64 of shape [n].

    Args:
        path: The name of the file in Keras's folder.
        num_words: Numbers from here on are left out.
        skip_top: Numbers below are left out.
        maxlen: Only news with fewer words are kept.
        test_split: The share that is kept for the test.
        seed: Of the order, and so of what is kept.
        start_char: The number with which each text begins, or None.
        oov_char: The number that stands for words left out; None to drop them.
        index_from: How far the numbers of words are moved up.

    Source: https://keras.io/api/datasets/reuters/
    """
    found = arrays(
        path, "reuters.npz", "d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916"
    )
    wishes = Wishes(num_words, skip_top, maxlen, start_char, oov_char, index_from)
    x, y = shuffled(np.random.RandomState(seed), found["x"], found["y"])
    texts, y = wishes.short_ones(wishes.numbered(x), y)
    known = wishes.of_known_words(texts)
    many = int(len(known) * (1 - test_split))
    return (lists(known[:many]), y[:many]), (lists(known[many:]), y[many:])


def get_word_index(path: str = "reuters_word_index.json") -> dict[str, Any]:
    """Words, and their numbers before they are moved up.

    Source: https://keras.io/api/datasets/reuters/
    """
    return word_index(path, "reuters_word_index.json", "4d44cc38712099c9e383dc6e5f11a921")


def get_label_names() -> tuple[str, ...]:
    """The names of the topics, in the order of their numbers.

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
