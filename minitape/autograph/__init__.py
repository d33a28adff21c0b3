"""`tf.autograph`: Python's control flow stays Python's here, so there is nothing to convert.

Source: https://www.tensorflow.org/api_docs/python/tf/autograph
"""

from minitape.autograph import experimental
from minitape.lazy_namespace import telling


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """How much TensorFlow tells of the conversion; here there is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/autograph/set_verbosity
    """


__getattr__ = telling(__name__)

__all__ = ["experimental", "set_verbosity"]
