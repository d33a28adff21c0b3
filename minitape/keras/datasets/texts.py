"""Texts as lists of word indices. The modules imdb and reuters share this code.

The index of a word is its rank by frequency. It is increased by `index_from`, so that lower indices have other meanings:
`start_char` marks the start of a text, and `oov_char` replaces each excluded word.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from minitape.core.values import Array
from minitape.keras.datasets.storage import GOOGLE
from minitape.keras.utils.files import get_file

Texts = list[list[int]]


@dataclass(frozen=True)
class TextOptions:
    """The options that select words and texts, and number them."""

    num_words: int | None
    skip_top: int
    maxlen: int | None
    start_char: int | None
    oov_char: int | None
    index_from: int

    def numbered(self, texts: Array) -> Texts:
        """Add the offset to the word indices, and the start index to each text.

        Args:
            texts: Lists of word indices.

        Returns:
            A list of lists.
        """
        start = [] if self.start_char is None else [self.start_char]
        return [start + [word + (self.index_from or 0) for word in text] for text in texts]

    def without_long_texts(self, texts: Texts, labels: Array) -> tuple[Texts, Array]:
        """Keep only the texts with fewer than `maxlen` words.

        Args:
            texts: Lists of word indices.
            labels: The labels of the texts.

        Returns:
            The kept texts and their labels.
        """
        if not self.maxlen:
            return texts, labels
        kept = [i for i, text in enumerate(texts) if len(text) < self.maxlen]
        return [texts[i] for i in kept], labels[kept]

    def replace_excluded_words(self, texts: Texts) -> Texts:
        """Replace the excluded words with `oov_char`, or remove them.

        Args:
            texts: Lists of word indices.

        Returns:
            A list of lists.
        """
        end = self.num_words or max(map(max, texts))
        known = range(self.skip_top, end)
        if self.oov_char is None:
            return [[word for word in text if word in known] for text in texts]
        return [[word if word in known else self.oov_char for word in text] for text in texts]


def lists(texts: Texts) -> Array:
    """Create an array whose items are lists.

    Args:
        texts: Lists of word indices.

    Returns:
        An object array.
    """
    array = np.empty(len(texts), object)
    array[:] = texts
    return array


def word_index(path: str, origin: str, checksum: str) -> dict[str, Any]:
    """Load the indices of words.

    Args:
        path: Name of the file in Keras's directory.
        origin: Name of the file at its URL.
        checksum: MD5 checksum.

    Returns:
        A dict from words to indices.
    """
    found = get_file(path, origin=GOOGLE + origin, file_hash=checksum)
    index: dict[str, Any] = json.loads(Path(found).read_text(encoding="utf-8"))
    return index
