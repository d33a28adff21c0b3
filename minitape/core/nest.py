"""Nested structures, as in `tf.nest`.

A list, tuple, namedtuple or dict is a structure; any other object, including None, is a leaf. The entries of a dict are ordered
by their sorted keys. An object with the methods `__tf_flatten__` and `__tf_unflatten__` is a structure too. The first method
returns its metadata and its entries, the second builds an object from them.

Source: https://www.tensorflow.org/api_docs/python/tf/nest
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from minitape.core.arguments import function_given, listed
from minitape.core.tensor import TensorLike
from minitape.errors import TapeTypeError, TapeValueError

_STRUCTURES = (list, tuple, Mapping)
_PLAIN = (list, tuple, dict)  # most structures are exactly one of these


def is_nested(structure: Any) -> bool:
    """Return whether `structure` is a list, tuple, dict or other structure; for tensors and None the result is False.

    Args:
        structure: Any object.

    Source: https://www.tensorflow.org/api_docs/python/tf/nest/is_nested
    """
    # The test for a Mapping is the slowest one here, and most objects are of the other kinds.
    if structure is None or isinstance(structure, TensorLike):
        return False
    if type(structure) in _PLAIN:
        return True
    return isinstance(structure, _STRUCTURES) or _flattens_itself(structure)


def _flattens_itself(structure: Any) -> bool:
    """Whether the class of `structure`, such as a dataclass, defines how to flatten it."""
    return hasattr(type(structure), "__tf_flatten__")


def flatten(structure: Any) -> list[Any]:
    """Return all leaves of a structure as a list, in order.

    Args:
        structure: A structure or a single leaf.

    Returns:
        The leaves; `[structure]` for a single leaf.

    Source: https://www.tensorflow.org/api_docs/python/tf/nest/flatten

    >>> flatten({"b": 1, "a": (2, [None])})
    [2, None, 1]
    """
    leaves: list[Any] = []
    _collect(structure, leaves)
    return leaves


def _collect(structure: Any, leaves: list[Any]) -> None:
    if not is_nested(structure):
        leaves.append(structure)
        return
    for entry in _entries(structure):
        if isinstance(
            entry, TensorLike
        ):  # nearly all entries are leaves, which saves a call for each
            leaves.append(entry)
        else:
            _collect(entry, leaves)


def _entries(structure: Any) -> Iterable[Any]:
    if type(structure) in (list, tuple):
        return structure  # type: ignore[no-any-return]
    if isinstance(structure, Mapping):
        return [structure[key] for key in _sorted_keys(structure)]
    if _flattens_itself(structure):
        _, entries = structure.__tf_flatten__()
        return list(entries)
    return list(structure)


def _sorted_keys(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError as error:
        raise TapeTypeError(
            "The keys of a nested dict must be sortable, but these have types that cannot be compared.",
            fix="use keys of one type, such as strings",
        ) from error


def pack_sequence_as(structure: Any, flat_sequence: Iterable[Any]) -> Any:
    """Arrange a flat list of leaves in the nesting of `structure`.

    Args:
        structure: A structure, or a leaf. Only its nesting is used, not the values of its leaves.
        flat_sequence: As many leaves as `structure` has.

    Returns:
        The new structure.

    Raises:
        ValueError: the number of leaves differs.

    Source: https://www.tensorflow.org/api_docs/python/tf/nest/pack_sequence_as

    >>> pack_sequence_as({"b": 0, "a": [0, 0]}, [1, 2, 3])
    {'b': 3, 'a': [1, 2]}
    """
    leaves = listed(flat_sequence, "flat_sequence")
    if not is_nested(structure):
        if len(leaves) != 1:
            raise TapeValueError(f"The structure is a single leaf, but got {len(leaves)} leaves.")
        return leaves[0]
    rest = iter(leaves)
    try:
        packed = _fill(structure, rest)
    except StopIteration:
        raise _other_count(structure, leaves) from None
    if next(rest, rest) is not rest:
        raise _other_count(structure, leaves)
    return packed


def _other_count(structure: Any, leaves: list[Any]) -> TapeValueError:
    positions = len(flatten(structure))
    return TapeValueError(f"The structure has {positions} leaves, but got {len(leaves)}.")


def _fill(structure: Any, leaves: Iterator[Any]) -> Any:
    if not is_nested(structure):
        return next(leaves)
    if isinstance(structure, Mapping):
        filled = {key: _fill(structure[key], leaves) for key in _sorted_keys(structure)}
        in_order = {key: filled[key] for key in structure}
        return in_order if type(structure) is dict else type(structure)(in_order)  # type: ignore[call-arg]
    if _flattens_itself(structure):
        metadata, parts = structure.__tf_flatten__()
        return type(structure).__tf_unflatten__(
            metadata, tuple(_fill(part, leaves) for part in parts)
        )
    entries = [
        next(leaves) if isinstance(entry, TensorLike) else _fill(entry, leaves)
        for entry in structure
    ]
    if hasattr(structure, "_fields"):  # a namedtuple takes its fields as separate arguments
        return type(structure)(*entries)
    return tuple(entries) if isinstance(structure, tuple) else entries


def map_structure(func: Callable[..., Any], *structure: Any, check_types: bool = True) -> Any:
    """Apply `func` to the leaves of one or more structures that are nested in the same way.

    Args:
        func: Takes one leaf of each structure.
        *structure: One or more structures.
        check_types: Whether the types of the structures must be equal too: see `assert_same_structure`.

    Returns:
        The results in the nesting of the first structure.

    Raises:
        TypeError: `func` is not callable, or the types differ.
        ValueError: the structures differ, or no structure is given.

    Source: https://www.tensorflow.org/api_docs/python/tf/nest/map_structure
    """
    function_given(func, "func")
    if not structure:
        raise TapeValueError(
            "Must provide at least one structure", fix="call `map_structure(func, xs)`"
        )
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types)
    columns = zip(*(flatten(each) for each in structure), strict=True)
    return pack_sequence_as(structure[0], [func(*leaves) for leaves in columns])


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Raise an error unless both structures are nested in the same way.

    Args:
        nest1: A structure or a leaf.
        nest2: A structure or a leaf.
        check_types: Whether the types must be equal too: list, tuple, namedtuple of the same name, dict with the same keys.

    Raises:
        TypeError: the types of two structures differ.
        ValueError: the numbers of entries differ, or one has a leaf where the other has a structure.

    Source: https://www.tensorflow.org/api_docs/python/tf/nest/assert_same_structure
    """
    if is_nested(nest1) != is_nested(nest2):
        raise TapeValueError("The two structures do not have the same nested structure.")
    if not is_nested(nest1):
        return
    if check_types:
        _check_kinds(nest1, nest2)
    first, second = list(_entries(nest1)), list(_entries(nest2))
    if len(first) != len(second):
        raise TapeValueError("The two structures do not have the same number of elements.")
    for a, b in zip(first, second, strict=True):
        assert_same_structure(a, b, check_types)


def _check_kinds(nest1: Any, nest2: Any) -> None:
    if _kind(nest1) != _kind(nest2):
        raise TapeTypeError(
            "The two structures do not have the same sequence type: "
            f"the first is a {type(nest1).__name__}, the second a {type(nest2).__name__}.",
            fix=f"use a `{type(nest1).__name__}` for both",
        )
    if isinstance(nest1, Mapping) and set(nest1) != set(nest2):
        raise TapeValueError("The two dictionaries do not have the same keys.")


def _kind(structure: Any) -> Any:
    """Return the type to compare.

    A subclass counts as its base type, but a namedtuple equals only a namedtuple with the same name and fields.
    """
    if hasattr(structure, "_fields"):
        return type(structure).__name__, structure._fields
    if _flattens_itself(structure):
        return type(structure)
    return next(kind for kind in _STRUCTURES if isinstance(structure, kind))
