"""`tf.autograph`: minitape runs Python's control flow directly, so there is nothing to convert.

Source: https://www.tensorflow.org/api_docs/python/tf/autograph
"""

from minitape.autograph import experimental
from minitape.lazy_namespace import helpful_getattr


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Set how much TensorFlow logs about the conversion; no effect in minitape.

    Source: https://www.tensorflow.org/api_docs/python/tf/autograph/set_verbosity
    """


__getattr__ = helpful_getattr(__name__)

__all__ = ["experimental", "set_verbosity"]
