"""HelpfulAttributes is a mixin for classes that TensorFlow has too. It explains missing attributes."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from minitape.errors import MessageParts, MissingAttributeError


def missing(kind: type, name: str, there: Callable[[], Iterable[str]]) -> AttributeError:
    """Return the error for an attribute that objects of a class do not have.

    Args:
        kind: The class.
        name: The attribute. An attribute that starts with an underscore belongs to Python or a library, not to TensorFlow.
        there: Returns the attributes that the object has; called when the message is read.
    """
    if name.startswith("_"):
        return AttributeError(f"'{kind.__name__}' object has no attribute '{name}'", name=name)
    return MissingAttributeError(name, partial(_message_parts, kind, name, there))


def _message_parts(kind: type, name: str, there: Callable[[], Iterable[str]]) -> MessageParts:
    # imported only here, because its table of names is large
    from minitape.unsupported.errors import of_attribute

    return of_attribute(kind, name, there())


class HelpfulAttributes:
    """A class that TensorFlow has too. A missing attribute raises AttributeError, with advice on what to write instead."""

    __slots__ = ()

    if not TYPE_CHECKING:  # for type checkers, undeclared attributes do not exist

        def __getattr__(self, name: str) -> Any:
            if hasattr(type(self), name):
                return object.__getattribute__(
                    self, name
                )  # a property raised AttributeError; the message of that error is the explanation
            raise missing(type(self), name, partial(dir, self))
