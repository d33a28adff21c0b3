"""Known: mixed into classes that TensorFlow has too, so that an attribute that is missing here is told what it is there."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from minitape.errors import MissingAttributeError, Said


def missing(kind: type, name: str, there: Callable[[], Iterable[str]]) -> AttributeError:
    """The error for an attribute that objects of a class do not have.

    Args:
        kind: The class.
        name: The attribute. One that begins with an underscore is Python's or a library's own: TensorFlow knows nothing of it.
        there: Gives the attributes that the object has; it is asked when the message is read.
    """
    if name.startswith("_"):
        return AttributeError(f"'{kind.__name__}' object has no attribute '{name}'", name=name)
    return MissingAttributeError(name, partial(_said, kind, name, there))


def _said(kind: type, name: str, there: Callable[[], Iterable[str]]) -> Said:
    from minitape.missing.asked import of_attribute  # its table of names is large

    return of_attribute(kind, name, there())


class Known:
    """An object of TensorFlow's kind. What it lacks raises AttributeError, with what to write instead."""

    __slots__ = ()

    if not TYPE_CHECKING:  # for those who check types, what is not declared is not there

        def __getattr__(self, name: str) -> Any:
            if hasattr(type(self), name):
                return object.__getattribute__(self, name)  # a property that failed: it says why
            raise missing(type(self), name, partial(dir, self))
