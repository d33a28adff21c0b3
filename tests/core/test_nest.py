"""Nested structures of sources and targets."""

from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from operator import add
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitape as tf
from minitape.core import nest

Pair = namedtuple("Pair", "b a")

leaves = st.integers() | st.none() | st.text(max_size=2)
structures = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.builds(Pair, inner, inner)
        | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(structures)
def test_packing_undoes_flattening(structure: object) -> None:
    flat = nest.flatten(structure)
    assert nest.pack_sequence_as(structure, flat) == structure


@given(structures)
def test_mapping_keeps_the_structure(structure: object) -> None:
    mapped = nest.map_structure(lambda leaf: [0], structure)
    nest.assert_same_structure(structure, nest.map_structure(lambda leaf: 0, structure))
    assert len(nest.flatten(mapped)) == len(nest.flatten(structure))


def test_dict_entries_are_flattened_in_key_order_and_packed_under_their_keys() -> None:
    structure = OrderedDict([("b", 1), ("a", 2)])
    assert nest.flatten(structure) == [2, 1]
    packed = nest.pack_sequence_as(structure, [20, 10])
    assert type(packed) is OrderedDict
    assert list(packed.items()) == [("b", 10), ("a", 20)]


def test_namedtuple_fields_keep_their_order() -> None:
    assert nest.flatten(Pair(b=1, a=2)) == [1, 2]
    assert nest.pack_sequence_as(Pair(0, 0), [1, 2]) == Pair(b=1, a=2)


def test_none_is_a_leaf() -> None:
    assert nest.flatten([None, (None,)]) == [None, None]


def test_error_for_unsortable_keys_suggests_fix() -> None:
    with pytest.raises(TypeError, match="keys of one type"):
        nest.flatten({1: 1, "a": 2})


@pytest.mark.parametrize(
    ("one", "other", "error"),
    [
        ([1, 2], [1], ValueError),
        ([1], 1, ValueError),
        ({"a": 1}, {"b": 1}, ValueError),
        ({"a": 1}, [1], TypeError),
        ([[1], 2], [1, [2]], ValueError),
        ([1], (1,), TypeError),
        ([(1,)], [[1]], TypeError),
        ([1, 2], (1,), TypeError),
        (Pair(1, 2), (1, 2), TypeError),
    ],
)
def test_different_structures_raise(one: object, other: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        nest.assert_same_structure(one, other)


def test_wrong_number_of_leaves_raises() -> None:
    with pytest.raises(ValueError, match="2 leaves, but got 1"):
        nest.pack_sequence_as([0, 0], [1])
    with pytest.raises(ValueError, match="single leaf, but got 2"):
        nest.pack_sequence_as(0, [1, 2])


def test_list_matches_tuple_if_types_are_not_checked() -> None:
    nest.assert_same_structure([1, {"a": (2,)}], (1, {"b": [2]}), check_types=False)
    with pytest.raises(ValueError):
        nest.assert_same_structure([1, 2], (1,), check_types=False)
    assert nest.map_structure(add, [1], (2,), check_types=False) == [3]
    with pytest.raises(TypeError, match="the first is a list, the second a tuple"):
        nest.map_structure(add, [1], (2,))


def test_subclass_matches_its_base_class() -> None:
    class Row(list[int]):
        pass

    nest.assert_same_structure(Row([1]), [1])
    nest.assert_same_structure({"a": 1}, OrderedDict(a=2))


@dataclass
class Weighted:
    """A value with a weight, which is metadata and not an entry."""

    value: Any
    weight: Any

    def __tf_flatten__(self) -> Any:
        return (self.weight,), (self.value,)

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Any) -> Any:
        return cls(*components, *metadata)


def test_class_with_tf_flatten_is_a_structure() -> None:
    nested = [Weighted(1, Weighted(2, 3)), {"a": Weighted([4, 5], 6)}]
    assert tf.nest.is_nested(nested[0])
    assert tf.nest.flatten(nested) == [1, 4, 5]
    doubled = tf.nest.map_structure(lambda x: 2 * x, nested)
    assert doubled == [Weighted(2, Weighted(2, 3)), {"a": Weighted([8, 10], 6)}]


def test_class_with_tf_flatten_matches_only_its_own_class() -> None:
    tf.nest.assert_same_structure(Weighted(1, 2), Weighted(3, [4]))
    tf.nest.assert_same_structure(Weighted(1, 2), [1], check_types=False)
    with pytest.raises(TypeError, match="Weighted"):
        tf.nest.assert_same_structure(Weighted(1, 2), [1])
    with pytest.raises(ValueError, match="structure"):
        tf.nest.assert_same_structure(Weighted(1, 2), 3)
    # A class itself is a leaf: only its objects have entries.
    assert tf.nest.flatten(Weighted) == [Weighted]


def test_gradient_has_structure_of_class_with_tf_flatten() -> None:
    source = Weighted(tf.constant(3.0), "w")
    with tf.GradientTape() as tape:
        tape.watch(source)
        y = source.value * source.value
    derivative = tape.gradient(y, source)
    assert isinstance(derivative, Weighted)
    assert float(derivative.value) == 6.0
