"""Datasets: what is tested in addition to TensorFlow's recorded behavior (tests/parity, program data)."""

from collections import OrderedDict, namedtuple
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.core import listeners
from minitape.data import Dataset


def test_nothing_runs_before_iteration() -> None:
    ran: list[int] = []

    def numbers() -> Iterator[int]:
        for i in range(3):
            ran.append(i)
            yield i

    spec = tf.TensorSpec((), tf.int32)
    dataset = Dataset.from_generator(numbers, output_signature=spec).map(lambda x: x + 1).batch(2)
    assert ran == []
    next(iter(dataset))
    assert ran == [0, 1]


def test_abandoned_iteration_does_not_affect_others() -> None:
    dataset = Dataset.range(4).cache()
    next(iter(dataset))
    first, second = iter(dataset), iter(dataset)
    next(first)
    assert [int(x) for x in second] == [0, 1, 2, 3]
    assert [int(x) for x in first] == [1, 2, 3]


def test_cache_computes_once() -> None:
    calls: list[int] = []
    dataset = Dataset.range(3).map(lambda x: calls.append(1) or x).cache()
    assert [int(x) for _ in range(2) for x in dataset] == [0, 1, 2, 0, 1, 2]
    assert len(calls) == 3


def test_active_tape_does_not_record_inside_mapped_function() -> None:
    w = tf.Variable(3.0)
    dataset = Dataset.from_tensor_slices([1.0, 2.0]).map(lambda x: x * w)
    with tf.GradientTape() as tape:
        list(dataset)
    assert tape.watched_variables() == ()


def test_exception_in_function_restores_tapes_and_listeners() -> None:
    w = tf.Variable(3.0)

    class Deaf:
        def emit(self, event: Any) -> None: ...

        def hand_out(self, tensors: Any, via: str, product: Any) -> Any:
            return product

    with listeners.listen(Deaf()), tf.GradientTape() as tape:
        with pytest.raises(ZeroDivisionError):
            list(Dataset.range(3).map(lambda x: 1 // 0))
        assert len(listeners.active) == 1
        y = w * w
    assert float(tape.gradient(y, w)) == 6.0


@pytest.mark.parametrize(
    ("chain", "says"),
    [
        (lambda: list(Dataset.range(3).map(lambda n: tf.fill([n], 0)).batch(2)), "padded_batch"),
        (lambda: Dataset.range(3).filter(lambda x: x > 1).__len__(), "sum(1 for"),
        (lambda: Dataset.range(3).filter(lambda x: x).__iter__().__next__(), "x > 0"),
        (lambda: Dataset.from_tensor_slices(3.0), "from_tensors"),
        (lambda: Dataset.zip([Dataset.range(2)]), "Dataset.zip((a, b))"),
        (lambda: Dataset.range(2).group_by_window, "filter"),
        (lambda: Dataset.list_files, "glob"),
        (lambda: Dataset.range(2).cache("file"), ".cache()"),
        (lambda: iter(Dataset.range(0)).get_next(), "dataset.repeat()"),
    ],
)
def test_error_says_what_to_write(chain: Any, says: str) -> None:
    with pytest.raises(Exception, match="try") as raised:
        chain()
    assert says in str(raised.value)
    assert any("test_dataset.py" in note for note in raised.value.__notes__)


def test_varying_shape_is_unknown_in_the_spec() -> None:
    grown = Dataset.range(1, 4).map(lambda n: tf.fill([n, 2], 1.0))
    assert repr(grown.element_spec) == "TensorSpec(shape=(None, 2), dtype=tf.float32, name=None)"


def test_function_that_requires_full_batches_has_a_spec() -> None:
    dataset = Dataset.range(8).batch(4).map(lambda x: tf.reshape(x, [2, 2]))
    assert "shape=(2, 2)" in repr(dataset.element_spec)


def test_attribute_error_in_users_function_is_raised() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = Dataset.range(2).map(lambda x: np.nonsense).element_spec


def test_generator_dict_must_have_keys_of_its_signature() -> None:
    spec = {"x": tf.TensorSpec((), tf.int32)}
    made = {
        key: Dataset.from_generator(lambda key=key: iter([{key: 1}]), output_signature=spec)
        for key in ("x", "y")
    }
    assert [int(element["x"]) for element in made["x"]] == [1]
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected structure"):
        list(made["y"])


def test_negative_choice_does_not_select_from_the_end() -> None:
    datasets = [Dataset.range(3), Dataset.range(10, 13)]
    chosen = Dataset.choose_from_datasets(
        datasets, Dataset.from_tensor_slices(np.array([1, 0, -1], np.int64))
    )
    elements = iter(chosen)
    assert [int(next(elements)), int(next(elements))] == [10, 0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="index out of range: -1"):
        next(elements)


@pytest.mark.parametrize("length", [None, -1])
def test_interleave_may_choose_its_cycle_length(length: int | None) -> None:
    """-1 is `tf.data.AUTOTUNE`."""
    dataset = Dataset.range(2).interleave(
        lambda x: Dataset.range(2).map(lambda y: 10 * x + y), cycle_length=length
    )
    assert sorted(int(x) for x in dataset) == [0, 1, 10, 11]


def test_zip_ends_with_the_shortest_dataset_and_has_its_cardinality() -> None:
    endless = Dataset.range(2).repeat()
    pairs = Dataset.zip((Dataset.range(5), endless, Dataset.range(3)))
    assert int(pairs.cardinality()) == 3 == len(list(pairs))
    assert int(Dataset.zip((endless, endless)).cardinality()) == tf.data.INFINITE_CARDINALITY


def test_scan_requires_state_of_same_dtype() -> None:
    sums = Dataset.range(1, 5).scan(
        tf.constant(0, tf.int64), lambda state, x: (state + x, state + x)
    )
    assert [int(x) for x in sums] == [1, 3, 6, 10]
    with pytest.raises(TypeError, match="the dtype of the state changed from float32 to int64"):
        list(Dataset.range(2).scan(0.5, lambda state, x: (x, x)))


def test_numpy_iterator_converts_each_kind_of_leaf() -> None:
    """None stays None, a string becomes bytes, a number a NumPy scalar, and a dataset another NumPy iterator."""
    rows = Dataset.from_tensors({"number": 3, "text": "a", "list": [1.0, 2.0]})
    (row,) = rows.map(lambda row: {**row, "nothing": None}).as_numpy_iterator()
    assert (row["number"], row["text"], row["nothing"]) == (3, b"a", None)
    assert isinstance(row["number"], np.generic)
    row["list"][0] = 5.0
    assert [each["list"].tolist() for each in rows.as_numpy_iterator()] == [[1.0, 2.0]]
    windows = [list(window) for window in Dataset.range(3).window(2).as_numpy_iterator()]
    assert windows == [[0, 1], [2]]


def test_mapping_and_namedtuple_keep_their_types() -> None:
    pair = namedtuple("pair", ["a", "b"])
    made = Dataset.from_tensors((OrderedDict(x=1), pair(2, 3)))
    ((mapping, named),) = made.map(lambda mapping, named: (mapping, named)).as_numpy_iterator()
    assert type(mapping) is OrderedDict
    assert named == pair(2, 3) and type(named) is pair


def test_rebatch_has_known_size_only_if_no_batch_is_smaller() -> None:
    batches = Dataset.range(10).batch(4)

    def size(*args: Any, **kwargs: Any) -> Any:
        return batches.rebatch(*args, **kwargs).element_spec.shape[0]

    assert size(3, drop_remainder=True) == 3
    assert size(3) is size([3, 2], drop_remainder=True) is None


def test_option_is_none_until_set_and_unknown_option_raises() -> None:
    options = tf.data.Options()
    assert options.deterministic is None and options.threading.private_threadpool_size is None
    for missing in (options, options.threading):
        with pytest.raises(AttributeError, match="no_such_option"):
            _ = missing.no_such_option
        with pytest.raises(AttributeError, match="no_such_option"):
            missing.no_such_option = 1


def test_padding_values_must_match_the_components() -> None:
    pairs = Dataset.zip(Dataset.range(2), Dataset.range(2))
    for values in ((np.int64(0),), (np.int64(0),) * 3):
        with pytest.raises(ValueError, match=f"{len(values)} values, but .* have 2 components"):
            pairs.padded_batch(2, padded_shapes=([], []), padding_values=values)


def test_unbatch_of_infinite_dataset_is_infinite() -> None:
    batches = Dataset.range(4).batch(2)
    assert int(batches.repeat().unbatch().cardinality()) == tf.data.INFINITE_CARDINALITY
    assert int(batches.unbatch().cardinality()) == tf.data.UNKNOWN_CARDINALITY


def test_zip_accepts_the_old_argument_name() -> None:
    zipped = Dataset.zip(datasets={"a": Dataset.range(2), "b": Dataset.range(3)})
    assert [{k: int(v) for k, v in row.items()} for row in zipped] == [
        {"a": 0, "b": 0},
        {"a": 1, "b": 1},
    ]


def test_function_on_empty_dataset_has_a_spec() -> None:
    """It is called with zeros of the spec, and with None where an element has None."""
    rows = Dataset.from_tensors((tf.ones([2, 3]), "a", None)).take(0)
    spec = rows.map(lambda x, text, nothing: (x @ tf.ones([3, 1]), text, nothing)).element_spec
    assert spec[:2] == (tf.TensorSpec([2, 1], tf.float32), tf.TensorSpec([], tf.string))
