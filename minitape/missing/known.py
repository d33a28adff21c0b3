"""Known: mixed into classes that TensorFlow has too, so that an attribute that is missing here is told what it is there."""

from typing import TYPE_CHECKING, Any


class Known:
    """An object of TensorFlow's kind. What it lacks raises AttributeError, with what to write instead."""

    __slots__ = ()

    if not TYPE_CHECKING:  # for those who check types, what is not declared is not there

        def __getattr__(self, name: str) -> Any:
            if hasattr(type(self), name):
                return object.__getattribute__(self, name)  # a property that failed: it says why
            from minitape.missing.asked import of_object  # only a missing name needs it

            raise of_object(self, name)
