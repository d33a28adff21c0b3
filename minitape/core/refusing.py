"""Parameters that TensorFlow's functions have and that nothing here could honour: they are declared, and refused when given."""

from typing import Any

from minitape.errors import TapeTypeError

_LEFT_ALONE = (None, False, "")


def refuse(function: str, why: str, **parameters: Any) -> None:
    """Raise if one of these parameters was given; what is None, False or empty was left alone.

    Raises:
        TypeError: one was given.
    """
    for parameter, value in parameters.items():
        if not any(value is each for each in _LEFT_ALONE):
            raise TapeTypeError(
                f"`{function}` does not support {parameter}={value!r}: {why}",
                fix=f"remove `{parameter}`",
            )
