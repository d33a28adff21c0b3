"""Handles parameters of TensorFlow's functions that minitape does not support. They are declared, and raise an error if given."""

from typing import Any

from minitape.errors import TapeTypeError

_LEFT_ALONE = (None, False, "")


def refuse(function: str, why: str, **parameters: Any) -> None:
    """Raise an error if one of these parameters was given. None, False and empty values count as not given.

    Args:
        function: The name of the function.
        why: The reason why minitape does not support the parameter, which follows a colon in the message.
        parameters: The values given, by name.

    Raises:
        TypeError: one of them was given.
    """
    for parameter, value in parameters.items():
        if not any(value is each for each in _LEFT_ALONE):
            raise TapeTypeError(
                f"`{function}` does not support {parameter}={value!r}: {why}",
                fix=f"remove `{parameter}`",
            )
