"""`tf.strings`: conversions between numbers and strings."""

from minitape.lazy_namespace import telling
from minitape.ops.passing import as_string, to_number

__getattr__ = telling(__name__)

__all__ = ["as_string", "to_number"]
