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


def test_entries_of_a_dict_come_in_the_order_of_its_keys_and_go_back_to_their_own() -> None:
    structure = OrderedDict([("b", 1), ("a", 2)])
    assert nest.flatten(structure) == [2, 1]
    packed = nest.pack_sequence_as(structure, [20, 10])
    assert type(packed) is OrderedDict
    assert list(packed.items()) == [("b", 10), ("a", 20)]


def test_fields_of_a_namedtuple_keep_their_own_order() -> None:
    assert nest.flatten(Pair(b=1, a=2)) == [1, 2]
    assert nest.pack_sequence_as(Pair(0, 0), [1, 2]) == Pair(b=1, a=2)


def test_none_is_a_leaf() -> None:
    assert nest.flatten([None, (None,)]) == [None, None]


def test_keys_without_an_order_are_refused_with_the_fix() -> None:
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
def test_structures_that_differ_are_refused(
    one: object, other: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        nest.assert_same_structure(one, other)


def test_too_few_or_too_many_leaves_are_refused() -> None:
    with pytest.raises(ValueError, match="2 leaves, but got 1"):
        nest.pack_sequence_as([0, 0], [1])
    with pytest.raises(ValueError, match="single leaf, but got 2"):
        nest.pack_sequence_as(0, [1, 2])


def test_a_list_may_stand_for_a_tuple_where_kinds_are_not_asked_for() -> None:
    nest.assert_same_structure([1, {"a": (2,)}], (1, {"b": [2]}), check_types=False)
    with pytest.raises(ValueError):
        nest.assert_same_structure([1, 2], (1,), check_types=False)
    assert nest.map_structure(add, [1], (2,), check_types=False) == [3]
    with pytest.raises(TypeError, match="the first is a list, the second a tuple"):
        nest.map_structure(add, [1], (2,))


def test_a_class_of_ones_own_counts_as_what_it_is_made_from() -> None:
    class Row(list[int]):
        pass

    nest.assert_same_structure(Row([1]), [1])
    nest.assert_same_structure({"a": 1}, OrderedDict(a=2))


@dataclass
class Weighted:
    """A value with a weight, which is metadata and no entry."""

    value: Any
    weight: Any

    def __tf_flatten__(self) -> Any:
        return (self.weight,), (self.value,)

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Any) -> Any:
        return cls(*components, *metadata)


def test_a_class_that_flattens_itself_is_a_structure() -> None:
    nested = [Weighted(1, Weighted(2, 3)), {"a": Weighted([4, 5], 6)}]
    assert tf.nest.is_nested(nested[0])
    assert tf.nest.flatten(nested) == [1, 4, 5]
    doubled = tf.nest.map_structure(lambda x: 2 * x, nested)
    assert doubled == [Weighted(2, Weighted(2, 3)), {"a": Weighted([8, 10], 6)}]


def test_a_class_that_flattens_itself_has_the_structure_of_its_own_class_alone() -> None:
    tf.nest.assert_same_structure(Weighted(1, 2), Weighted(3, [4]))
    tf.nest.assert_same_structure(Weighted(1, 2), [1], check_types=False)
    with pytest.raises(TypeError, match="Weighted"):
        tf.nest.assert_same_structure(Weighted(1, 2), [1])
    with pytest.raises(ValueError, match="structure"):
        tf.nest.assert_same_structure(Weighted(1, 2), 3)
    # A class itself is a leaf: only its objects have entries.
    assert tf.nest.flatten(Weighted) == [Weighted]


def test_a_gradient_comes_in_the_structure_of_a_class_that_flattens_itself() -> None:
    source = Weighted(tf.constant(3.0), "w")
    with tf.GradientTape() as tape:
        tape.watch(source)
        y = source.value * source.value
    derivative = tape.gradient(y, source)
    assert isinstance(derivative, Weighted)
    assert float(derivative.value) == 6.0
