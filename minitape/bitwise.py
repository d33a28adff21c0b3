"""`tf.bitwise`: bitwise operations on integers."""

from minitape.core.primitive import public
from minitape.lazy_namespace import helpful_getattr
from minitape.ops import bits

bitwise_and = public(
    bits.bitwise_and, "x", "y", about="Return the bitwise and.", page="bitwise/bitwise_and"
)
bitwise_or = public(
    bits.bitwise_or, "x", "y", about="Return the bitwise or.", page="bitwise/bitwise_or"
)
bitwise_xor = public(
    bits.bitwise_xor, "x", "y", about="Return the bitwise exclusive or.", page="bitwise/bitwise_xor"
)
invert = public(
    bits.invert, "x", about="Return the number with all bits inverted.", page="bitwise/invert"
)
left_shift = public(
    bits.left_shift,
    "x",
    "y",
    about="Shift the bits of x to the left by y.",
    page="bitwise/left_shift",
)
right_shift = public(
    bits.right_shift,
    "x",
    "y",
    about="Shift the bits of x to the right by y.",
    page="bitwise/right_shift",
)

__getattr__ = helpful_getattr(__name__)

__all__ = [
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "invert",
    "left_shift",
    "right_shift",
]
