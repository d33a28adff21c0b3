"""`tf.version`: the version of TensorFlow whose behavior minitape matches. minitape's own version is `minitape.__version__`.

Source: https://www.tensorflow.org/api_docs/python/tf/version
"""

from minitape.lazy_namespace import helpful_getattr

VERSION = "2.21.0"
COMPILER_VERSION = ""  # nothing is compiled
GIT_VERSION = ""

__getattr__ = helpful_getattr(__name__)

__all__ = ["COMPILER_VERSION", "GIT_VERSION", "VERSION"]
