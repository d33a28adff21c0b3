"""The shape of a tensor, as the user sees it."""

from typing import Any


class TensorShape(tuple[int, ...]):
    """A tuple of sizes with TensorFlow's face: equal to a list or tuple of the same sizes.

    Source: https://www.tensorflow.org/api_docs/python/tf/TensorShape
    """

    __slots__ = ()

    @property
    def rank(self) -> int:
        return len(self)

    @property
    def ndims(self) -> int:
        return len(self)

    @property
    def dims(self) -> list[int]:
        return list(self)

    def as_list(self) -> list[int]:
        return list(self)

    def num_elements(self) -> int:
        count = 1
        for size in self:
            count *= size
        return count

    def is_fully_defined(self) -> bool:
        return True

    def __getitem__(self, key: Any) -> Any:
        sizes = tuple.__getitem__(self, key)
        return TensorShape(sizes) if isinstance(key, slice) else sizes

    def __add__(self, other: Any) -> "TensorShape":
        return TensorShape((*self, *other))

    def __radd__(self, other: Any) -> "TensorShape":
        return TensorShape((*other, *self))

    def __eq__(self, other: object) -> bool:
        return tuple.__eq__(self, tuple(other)) if isinstance(other, list | tuple) else False

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return f"TensorShape({list(self)})"

    def __str__(self) -> str:
        return tuple.__repr__(self)
