"""Texts as lists of word numbers: what imdb and reuters share.

A word's number is its place among the most frequent ones. They are moved up by `index_from`, for the numbers below to say
something else: `start_char` begins a text, `oov_char` stands for each word that is left out.
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
class Wishes:
    """Which words and texts are kept, and how they are numbered."""

    num_words: int | None
    skip_top: int
    maxlen: int | None
    start_char: int | None
    oov_char: int | None
    index_from: int

    def numbered(self, texts: Array) -> Texts:
        start = [] if self.start_char is None else [self.start_char]
        return [start + [word + (self.index_from or 0) for word in text] for text in texts]

    def short_ones(self, texts: Texts, labels: Array) -> tuple[Texts, Array]:
        """Those of fewer than `maxlen` words, and their labels."""
        if not self.maxlen:
            return texts, labels
        kept = [i for i, text in enumerate(texts) if len(text) < self.maxlen]
        return [texts[i] for i in kept], labels[kept]

    def of_known_words(self, texts: Texts) -> Texts:
        """All other words become `oov_char`, or go."""
        end = self.num_words or max(map(max, texts))
        known = range(self.skip_top, end)
        if self.oov_char is None:
            return [[word for word in text if word in known] for text in texts]
        return [[word if word in known else self.oov_char for word in text] for text in texts]


def lists(texts: Texts) -> Array:
    """An array whose items are lists."""
    array = np.empty(len(texts), object)
    array[:] = texts
    return array


def word_index(path: str, origin: str, checksum: str) -> dict[str, Any]:
    """Words, and their numbers."""
    found = get_file(path, origin=GOOGLE + origin, file_hash=checksum)
    index: dict[str, Any] = json.loads(Path(found).read_text(encoding="utf-8"))
    return index
