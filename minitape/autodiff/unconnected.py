"""What a source gets that the target does not depend on: None, or zeros on request.

Source: https://www.tensorflow.org/api_docs/python/tf/UnconnectedGradients
"""

from typing import Any

from minitape.core.choices import Choice
from minitape.errors import TapeValueError


class UnconnectedGradients(Choice):
    """NONE keeps "no path" and "a slope of zero" apart; ZERO fills in zeros, and so hides a lost path."""

    NONE = "none"
    ZERO = "zero"


def as_unconnected(value: Any) -> UnconnectedGradients:
    """The member that a user means.

    Raises:
        ValueError: there is no such member.
    """
    if type(value) is UnconnectedGradients:
        return value
    try:
        return UnconnectedGradients(value)
    except ValueError:
        raise TapeValueError(
            f"Unknown value for unconnected_gradients: {value!r}",
            fix="tf.UnconnectedGradients.NONE or tf.UnconnectedGradients.ZERO ('none' or 'zero')",
            code="MT508",
        ) from None
