"""`tf.bitwise`: bitwise operations on integers."""

from minitape.core.primitive import public
from minitape.lazy_namespace import telling
from minitape.ops import bits

bitwise_and = public(bits.bitwise_and, "x", "y")
bitwise_or = public(bits.bitwise_or, "x", "y")
bitwise_xor = public(bits.bitwise_xor, "x", "y")
invert = public(bits.invert, "x")
left_shift = public(bits.left_shift, "x", "y")
right_shift = public(bits.right_shift, "x", "y")

__getattr__ = telling(__name__)

__all__ = [
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "invert",
    "left_shift",
    "right_shift",
]
