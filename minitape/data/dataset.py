"""`tf.data.Dataset`, whose methods are defined in several modules."""

from minitape.data.batching import Batching
from minitape.data.mapping import Mapping
from minitape.data.selection import Choosing
from minitape.data.shuffle import Shuffling
from minitape.data.sources import Sources


class Dataset(Sources, Choosing, Mapping, Batching, Shuffling):
    """A stream of elements, which a chain of steps computes when the program iterates over the dataset.

    sources.py       create datasets
    selection.py     select, repeat and combine elements
    mapping.py       apply functions
    batching.py      combine and split elements
    shuffle.py       change the order
    pipeline.py      the base class

    Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset
    """
