"""Nested structures of sources and targets, as `tf.nest` has them.

A list, tuple, namedtuple or dict is a structure; everything else, None included, is a leaf. The entries of a dict come
in the order of its sorted keys, whatever order they were put in. An object with the methods `__tf_flatten__` and
`__tf_unflatten__` is a structure too: the first returns its metadata and its entries, the second makes one of them.

Source: https://www.tensorflow.org/api_docs/python/tf/nest
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from minitape.core.arguments import function_given, listed
from minitape.core.tensor import ArrayFace
from minitape.errors import TapeTypeError, TapeValueError

_STRUCTURES = (list, tuple, Mapping)


def is_nested(structure: Any) -> bool:
    """Whether `structure` has entries of its own (lists, tuples, dicts do; tensors and None do not)."""
    # Nearly all leaves are tensors or variables; to ask of one whether it is a Mapping takes longer than all else here.
    if structure is None or isinstance(structure, ArrayFace):
        return False
    return isinstance(structure, _STRUCTURES) or _flattens_itself(structure)


def _flattens_itself(structure: Any) -> bool:
    """Whether the class of `structure`, such as a dataclass, says how to flatten it."""
    return hasattr(type(structure), "__tf_flatten__")


def flatten(structure: Any) -> list[Any]:
    """All leaves, from first to last.

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
        if isinstance(entry, ArrayFace):  # nearly all are, and it saves them a call
            leaves.append(entry)
        else:
            _collect(entry, leaves)


def _entries(structure: Any) -> Iterable[Any]:
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
    """The leaves of `flat_sequence` in the shape of `structure`.

    Raises:
        ValueError: there are more or fewer leaves than places.

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
    places = len(flatten(structure))
    return TapeValueError(f"The structure has {places} leaves, but got {len(leaves)}.")


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
        next(leaves) if isinstance(entry, ArrayFace) else _fill(entry, leaves)
        for entry in structure
    ]
    if hasattr(structure, "_fields"):  # a namedtuple takes its fields one by one
        return type(structure)(*entries)
    return tuple(entries) if isinstance(structure, tuple) else entries


def map_structure(func: Callable[..., Any], *structure: Any, check_types: bool = True) -> Any:
    """Apply `func` leaf by leaf to structures of one shape.

    Args:
        func: Takes one leaf of each structure.
        *structure: One or more.
        check_types: Whether a list may not stand for a tuple: see `assert_same_structure`.

    Raises:
        TypeError: `func` is no function, or a list meets a tuple.
        ValueError: the structures differ, or there is none.
    """
    function_given(func, "func")
    if not structure:
        raise TapeValueError("Must provide at least one structure", fix="map_structure(func, xs)")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types)
    columns = zip(*(flatten(each) for each in structure), strict=True)
    return pack_sequence_as(structure[0], [func(*leaves) for leaves in columns])


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Raise an error unless both have the same nesting.

    Args:
        nest1: A structure, or a leaf.
        nest2: The other.
        check_types: Whether the kinds have to be the same too: list, tuple, namedtuple of one name, dict of the same keys.

    Raises:
        TypeError: a list meets a tuple, or any kind another.
        ValueError: an entry is missing, or a leaf stands where the other has a structure.
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
            fix=f"a {type(nest1).__name__} for both",
        )
    if isinstance(nest1, Mapping) and set(nest1) != set(nest2):
        raise TapeValueError("The two dictionaries do not have the same keys.")


def _kind(structure: Any) -> Any:
    """A class of the user's own counts as what it is made from, but a namedtuple only as those of its name and fields."""
    if hasattr(structure, "_fields"):
        return type(structure).__name__, structure._fields
    if _flattens_itself(structure):
        return type(structure)
    return next(kind for kind in _STRUCTURES if isinstance(structure, kind))
