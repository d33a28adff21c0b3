"""Base class of the enums that have TensorFlow's names."""

from enum import Enum, EnumMeta
from typing import Any

from minitape.errors import TapeValueError


class _LookUp(EnumMeta):
    """Metaclass of enums: `NamedChoice(value)` looks up a member and raises TensorFlow's error for an unknown value."""

    def __call__(cls, value: Any) -> Any:  # type: ignore[override]  # looks up a member, as Enum does
        every: list[Any] = list(cls)
        members = {known: each for each in every for known in (each, each.value)}
        try:
            return members[value]
        except (KeyError, TypeError):
            raise TapeValueError(
                f"{value!r} is not a valid {cls.__name__}.",
                fix="use " + " or ".join(f"`tf.{each}`" for each in every),
            ) from None


class NamedChoice(Enum, metaclass=_LookUp):
    """Base class of the enums; `NamedChoice(value)` is the member with that value.

    Raises:
        ValueError: no member has this value (when called).
    """
