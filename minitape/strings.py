"""`tf.strings`: conversions between numbers and strings."""

from minitape.lazy_namespace import helpful_getattr
from minitape.ops.identity import as_string, to_number

__getattr__ = helpful_getattr(__name__)

__all__ = ["as_string", "to_number"]
