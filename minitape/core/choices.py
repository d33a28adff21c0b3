"""Closed choices under TensorFlow's names: enums that tell what there is to choose from."""

from enum import Enum, EnumMeta
from typing import Any

from minitape.errors import TapeValueError


class _Asked(EnumMeta):
    """Python's way to a member by its value, and no way to make another enum of it."""

    def __call__(cls, value: Any) -> Any:  # type: ignore[override]  # a member is asked for, and none is made
        every: list[Any] = list(cls)
        members = {known: each for each in every for known in (each, each.value)}
        try:
            return members[value]
        except (KeyError, TypeError):
            raise TapeValueError(
                f"{value!r} is not a valid {cls.__name__}.",
                fix=" or ".join(f"tf.{each}" for each in every),
            ) from None


class Choice(Enum, metaclass=_Asked):
    """One of a few members; `Choice(value)` is the member of that value.

    Raises:
        ValueError: there is no such member (when called).
    """
