"""The gradient for a source on which the target does not depend: None, or zeros on request.

Source: https://www.tensorflow.org/api_docs/python/tf/UnconnectedGradients
"""

from typing import Any

from minitape.core.choices import NamedChoice
from minitape.errors import TapeValueError


class UnconnectedGradients(NamedChoice):
    """The result for an unconnected source. NONE distinguishes "no path" from a derivative of 0; ZERO hides a lost path."""

    NONE = "none"
    ZERO = "zero"


def as_unconnected(value: Any) -> UnconnectedGradients:
    """Return the member for a user's value.

    Raises:
        ValueError: `value` is not a member.
    """
    if type(value) is UnconnectedGradients:
        return value
    try:
        return UnconnectedGradients(value)
    except ValueError:
        raise TapeValueError(
            f"Unknown value for unconnected_gradients: {value!r}",
            fix="use `tf.UnconnectedGradients.NONE` or `tf.UnconnectedGradients.ZERO` (`'none'` or `'zero'`)",
            code="MT508",
        ) from None
