"""`tf.data.Dataset`: all that a dataset can do, page by page."""

from minitape.data.batching import Batching
from minitape.data.choosing import Choosing
from minitape.data.mapping import Mapping
from minitape.data.shuffling import Shuffling
from minitape.data.sources import Sources


class Dataset(Sources, Choosing, Mapping, Batching, Shuffling):
    """A stream of elements, described step by step and computed when somebody iterates.

    sources.py       where elements come from
    choosing.py      which of them come, how often, in which company
    mapping.py       what a function does with them
    batching.py      many into one, and back
    shuffling.py     their order
    pipeline.py      what a dataset is

    Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset
    """
