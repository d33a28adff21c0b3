"""`tf.compat.v1.logging`: TensorFlow 1's functions for the package's logger.

Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/logging
"""

from logging import DEBUG, ERROR, FATAL, INFO, WARN

from minitape.core.eager import get_logger
from minitape.lazy_namespace import helpful_getattr


def set_verbosity(v: int | str) -> None:
    """Log only messages at or above a level, such as `logging.ERROR`.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/logging/set_verbosity
    """
    get_logger().setLevel(v)


def get_verbosity() -> int:
    """Return the minimum level of the messages that are logged.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/logging/get_verbosity
    """
    return get_logger().getEffectiveLevel()


debug = get_logger().debug
error = get_logger().error
fatal = get_logger().fatal
info = get_logger().info
log = get_logger().log
warn = get_logger().warning
warning = get_logger().warning

__getattr__ = helpful_getattr(__name__)

__all__ = [
    "DEBUG",
    "ERROR",
    "FATAL",
    "INFO",
    "WARN",
    "debug",
    "error",
    "fatal",
    "get_verbosity",
    "info",
    "log",
    "set_verbosity",
    "warn",
    "warning",
]
