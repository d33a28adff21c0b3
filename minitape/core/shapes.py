"""The shape of a tensor, as users see it. If a shape describes a future value, some or all sizes may be unknown."""

from collections.abc import Iterable
from typing import Any

from minitape.errors import TapeTypeError, TapeValueError
from minitape.unsupported.attribute_errors import HelpfulAttributes


class TensorShape(tuple[Any, ...], HelpfulAttributes):
    """A tuple of sizes with TensorFlow's methods, equal to a list or tuple of the same sizes.

    Args:
        dims: The sizes, with None for an unknown size; an integer for a single axis; None for an unknown rank.

    Raises:
        TypeError: a size is not an integer.
        ValueError: a size is negative.

    Source: https://www.tensorflow.org/api_docs/python/tf/TensorShape
    """

    __slots__ = ()

    def __new__(cls, dims: Any) -> "TensorShape":
        if dims is None:
            return super().__new__(_UnknownShape)
        if isinstance(dims, TensorShape):
            return dims
        if isinstance(dims, str) or not isinstance(dims, Iterable):
            dims = [dims]
        return super().__new__(cls, map(_size, dims))

    @property
    def rank(self) -> Any:
        """The number of axes; None if it is unknown."""
        return len(self)

    @property
    def ndims(self) -> Any:
        return self.rank

    @property
    def dims(self) -> Any:
        return list(self)

    def as_list(self) -> list[Any]:
        """Return the sizes as a list.

        Raises:
            ValueError: the rank is unknown.
        """
        return list(self)

    def num_elements(self) -> Any:
        """Return the product of the sizes, or None if a size is unknown."""
        count = 1
        for size in self:
            if size is None:
                return None
            count *= size
        return count

    def is_fully_defined(self) -> bool:
        return None not in self

    def assert_is_fully_defined(self) -> None:
        """Raise an error if a size is unknown.

        Raises:
            ValueError: a size is unknown.
        """
        if not self.is_fully_defined():
            raise TapeValueError(f"Shape {self} is not fully defined.")

    # --- compared with another shape ---

    def is_compatible_with(self, other: Any) -> bool:
        """Return whether a value could have both shapes; an unknown size matches any size."""
        other = TensorShape(other)
        if self.rank is None or other.rank is None:
            return True
        pairs = zip(self, other)
        return len(self) == len(other) and all(a is None or b is None or a == b for a, b in pairs)

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise an error if no value could have both shapes.

        Raises:
            ValueError: the shapes are not compatible.
        """
        if not self.is_compatible_with(other):
            raise TapeValueError(f"Shapes {self} and {other} are incompatible.", code="MT507")

    def merge_with(self, other: Any) -> "TensorShape":
        """Return the shape of a value that has both shapes.

        Raises:
            ValueError: the shapes are not compatible.
        """
        other = TensorShape(other)
        if not self.is_compatible_with(other):
            raise TapeValueError(f"Shapes {self} and {other} are not compatible.", code="MT507")
        if self.rank is None or other.rank is None:
            return other if self.rank is None else self
        return TensorShape(b if a is None else a for a, b in zip(self, other))

    def most_specific_compatible_shape(self, other: Any) -> "TensorShape":
        """Return the shape that is common to both; sizes that differ become None."""
        other = TensorShape(other)
        if self.rank is None or other.rank is None or len(self) != len(other):
            return TensorShape(None)
        return TensorShape(a if a == b else None for a, b in zip(self, other))

    def is_subtype_of(self, other: "TensorShape") -> bool:
        """Return whether each value of this shape also has the other shape."""
        if other.rank is None:
            return True
        if self.rank != other.rank:
            return False
        return all(b is None or a == b for a, b in zip(self, other))

    def concatenate(self, other: Any) -> "TensorShape":
        """Return the sizes of this shape, followed by the sizes of the other shape."""
        other = TensorShape(other)
        if self.rank is None or other.rank is None:
            return TensorShape(None)
        return TensorShape((*self, *other))

    # --- number of axes ---

    def with_rank(self, rank: int) -> "TensorShape":
        """Return this shape if it has `rank` axes.

        Raises:
            ValueError: it has a different number of axes.
        """
        return self._with(self.rank in (rank, None), f"must have rank {rank}")

    def with_rank_at_least(self, rank: int) -> "TensorShape":
        """Return this shape if it has at least `rank` axes.

        Raises:
            ValueError: it has fewer.
        """
        return self._with(self.rank is None or self.rank >= rank, f"must have rank at least {rank}")

    def with_rank_at_most(self, rank: int) -> "TensorShape":
        """Return this shape if it has at most `rank` axes.

        Raises:
            ValueError: it has more.
        """
        return self._with(self.rank is None or self.rank <= rank, f"must have rank at most {rank}")

    def assert_has_rank(self, rank: int) -> None:
        """Raise an error unless the shape has `rank` axes.

        Raises:
            ValueError: it has a different number of axes.
        """
        self.with_rank(rank)

    def assert_same_rank(self, other: Any) -> None:
        """Raise an error unless both shapes have the same number of axes.

        Raises:
            ValueError: the numbers differ.
        """
        other = TensorShape(other)
        is_same = self.rank is None or other.rank is None or self.rank == other.rank
        self._with(is_same, f"and {other} must have the same rank")

    def _with(self, holds: bool, words: str) -> "TensorShape":
        if not holds:
            raise TapeValueError(f"Shape {self} {words}.", code="MT507")
        return self

    # --- as a tuple ---

    def __bool__(self) -> bool:
        return True  # True even for a scalar, because its shape is known

    def __getitem__(self, key: Any) -> Any:
        sizes = tuple.__getitem__(self, key)
        return TensorShape(sizes) if isinstance(key, slice) else sizes

    def __add__(self, other: Any) -> "TensorShape":
        return self.concatenate(other)

    def __radd__(self, other: Any) -> "TensorShape":
        return TensorShape(other).concatenate(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            other = (other,)
        return tuple.__eq__(self, tuple(other)) if isinstance(other, list | tuple) else False

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return f"TensorShape({list(self)})"

    def __str__(self) -> str:
        return tuple.__repr__(self)


class _UnknownShape(TensorShape):
    """A shape of unknown rank."""

    __slots__ = ()

    @property
    def rank(self) -> None:
        return None

    @property
    def dims(self) -> None:
        return None

    def as_list(self) -> list[Any]:
        raise TapeValueError("as_list() is not defined on an unknown TensorShape.")

    def num_elements(self) -> None:
        return None

    def is_fully_defined(self) -> bool:
        return False

    def __getitem__(self, key: Any) -> Any:
        return self if isinstance(key, slice) else None

    def __len__(self) -> int:
        raise TapeValueError("Cannot take the length of shape with unknown rank.")

    def __bool__(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _UnknownShape)

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return "TensorShape(None)"

    def __str__(self) -> str:
        return "<unknown>"


def _size(size: Any) -> Any:
    if size is None:
        return None
    try:
        number = size.__index__()
    except (AttributeError, TypeError):
        raise TapeTypeError(
            f"Failed to convert {size!r} to a dimension of a shape.",
            fix="pass an integer or `None`",
        ) from None
    if number < 0:
        raise TapeValueError(
            f"Dimension {number} must be >= 0.", fix="pass `None` for an unknown size"
        )
    return number
