"""`tf.strings`: numbers to text and back."""

from minitape.ops.passing import as_string, to_number

__all__ = ["as_string", "to_number"]
