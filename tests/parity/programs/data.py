"""tf.data: which elements come, in which order, and what happens to them on the way."""

import contextlib
from collections import namedtuple
from typing import Any

from programs.case import Program, differs, table

Pair = namedtuple("Pair", "left right")


def _elements(make: Any) -> Program:
    """All elements of a dataset, as NumPy sees them."""
    return lambda tf, np: list(make(tf, tf.data.Dataset, np).as_numpy_iterator())


def _passes(make: Any) -> Program:
    """Three passes over one dataset, whatever seed another program has set."""

    def program(tf: Any, np: Any) -> Any:
        tf.random.set_seed(None)
        dataset = make(tf, tf.data.Dataset, np)
        return [list(dataset.as_numpy_iterator()) for _ in range(3)]

    return program


def _of(make: Any) -> Program:
    """Something about a dataset."""
    return lambda tf, np: make(tf, tf.data.Dataset, np)


def _pairs(D: Any) -> Any:
    return D.from_tensor_slices(([1, 2, 3, 4, 5], [1.0, 2.0, 3.0, 4.0, 5.0]))


def _growing(tf: Any, D: Any) -> Any:
    """Vectors of one, two and three numbers."""
    return D.range(1, 4).map(lambda n: tf.fill([n], n))


def _rows(values: Any, signature: Any) -> Any:
    return lambda tf, D, np: D.from_generator(lambda: iter(values), output_signature=signature(tf))


SOURCES = {
    "slices_of_a_list": lambda tf, D, np: D.from_tensor_slices([1, 2, 3]),
    "slices_of_floats": lambda tf, D, np: D.from_tensor_slices([1.0, 2.0]),
    "slices_of_float64": lambda tf, D, np: D.from_tensor_slices(np.array([1.0, 2.0])),
    "slices_of_uint8": lambda tf, D, np: D.from_tensor_slices(np.array([[1, 2]], np.uint8)),
    "slices_of_bools": lambda tf, D, np: D.from_tensor_slices([True, False]),
    "slices_of_text": lambda tf, D, np: D.from_tensor_slices(["a", "bc"]),
    "slices_of_rows_of_text": lambda tf, D, np: D.from_tensor_slices([["a"], ["bc"]]),
    "slices_of_a_matrix": lambda tf, D, np: D.from_tensor_slices([[1, 2], [3, 4]]),
    "slices_of_a_tensor": lambda tf, D, np: D.from_tensor_slices(tf.constant([1.0, 2.0])),
    "slices_of_a_variable": lambda tf, D, np: D.from_tensor_slices(tf.Variable([1.0, 2.0])),
    "slices_of_a_pair": lambda tf, D, np: _pairs(D),
    "slices_of_a_single_tuple": lambda tf, D, np: D.from_tensor_slices(([1, 2],)),
    "slices_of_a_nested_tuple": lambda tf, D, np: D.from_tensor_slices(([1, 2], ([3, 4], [5, 6]))),
    "slices_of_a_dict": lambda tf, D, np: D.from_tensor_slices({"b": [1, 2], "a": [3.0, 4.0]}),
    "slices_of_a_namedtuple": lambda tf, D, np: D.from_tensor_slices(Pair([1, 2], [3, 4])),
    "slices_of_a_dict_beside_labels": lambda tf, D, np: D.from_tensor_slices(
        ({"x": [1, 2]}, [0, 1])
    ),
    "slices_of_a_list_of_tensors": lambda tf, D, np: D.from_tensor_slices(
        [tf.constant(1.0), tf.constant(2.0)]
    ),
    "slices_of_nothing": lambda tf, D, np: D.from_tensor_slices(np.zeros((0, 2), np.float32)),
    "slices_of_a_number": lambda tf, D, np: D.from_tensor_slices(3),
    "slices_of_unequal_lengths": lambda tf, D, np: D.from_tensor_slices(([1, 2], [1, 2, 3])),
    "slices_of_a_ragged_list": lambda tf, D, np: D.from_tensor_slices([[1], [2, 3]]),
    "slices_of_none": lambda tf, D, np: D.from_tensor_slices(None),
    "slices_of_an_empty_tuple": lambda tf, D, np: D.from_tensor_slices(()),
    "tensors_of_a_list": lambda tf, D, np: D.from_tensors([1, 2]),
    "tensors_of_a_pair": lambda tf, D, np: D.from_tensors((1, [2.0, 3.0])),
    "tensors_with_none": lambda tf, D, np: D.from_tensors((1, None)),
    "range_to": lambda tf, D, np: D.range(3),
    "range_from_to": lambda tf, D, np: D.range(2, 5),
    "range_backwards": lambda tf, D, np: D.range(5, 1, -2),
    "range_of_float32": lambda tf, D, np: D.range(3, output_type=tf.float32),
    "range_of_nothing": lambda tf, D, np: D.range(5, 1),
    "range_by_0": lambda tf, D, np: D.range(1, 5, 0),
    "range_without_a_limit": lambda tf, D, np: D.range(),
    "range_of_four": lambda tf, D, np: D.range(1, 2, 3, 4),
    "range_of_a_half": lambda tf, D, np: D.range(2.5),
    "range_of_a_tensor": lambda tf, D, np: D.range(tf.constant(3, tf.int64)),
    "counter": lambda tf, D, np: D.counter(2, 3).take(3),
    "generator_of_numbers": _rows([1, 2], lambda tf: tf.TensorSpec((), tf.int32)),
    "generator_of_ints_as_floats": _rows([1, 2], lambda tf: tf.TensorSpec((), tf.float32)),
    "generator_of_floats_as_ints": _rows([1.5], lambda tf: tf.TensorSpec((), tf.int32)),
    "generator_of_text": _rows(["a"], lambda tf: tf.TensorSpec((), tf.string)),
    "generator_of_rows": _rows([[1, 2], [3, 4]], lambda tf: tf.TensorSpec((2,), tf.int64)),
    "generator_of_any_length": _rows([[1], [2, 3]], lambda tf: tf.TensorSpec((None,), tf.int32)),
    "generator_of_pairs": _rows(
        [([1.0, 2.0], 0)], lambda tf: (tf.TensorSpec((2,), tf.float32), tf.TensorSpec((), tf.int32))
    ),
    "generator_of_dicts": _rows(
        [{"a": 1, "b": [2.0]}],
        lambda tf: {"a": tf.TensorSpec((), tf.int32), "b": tf.TensorSpec((1,), tf.float32)},
    ),
    "generator_of_another_shape": _rows([[1, 2, 3]], lambda tf: tf.TensorSpec((2,), tf.int32)),
    "generator_of_another_kind": _rows(["a"], lambda tf: tf.TensorSpec((), tf.int32)),
    "generator_of_another_structure": _rows(
        [1], lambda tf: (tf.TensorSpec((), tf.int32), tf.TensorSpec((), tf.int32))
    ),
    "generator_by_types": lambda tf, D, np: D.from_generator(lambda: iter([1, 2]), tf.int64),
    "generator_by_types_and_shapes": lambda tf, D, np: D.from_generator(
        lambda: iter([([1, 2], 3)]), (tf.float32, tf.int32), ((2,), ())
    ),
    "generator_with_arguments": lambda tf, D, np: D.from_generator(
        lambda stop: iter(range(stop)), output_signature=tf.TensorSpec((), tf.int32), args=[3]
    ),
    "generator_without_a_signature": lambda tf, D, np: D.from_generator(lambda: iter([1])),
    "generator_that_is_a_list": lambda tf, D, np: D.from_generator(
        [1], output_signature=tf.TensorSpec((), tf.int32)
    ),
    "generator_that_divides_by_0": lambda tf, D, np: D.from_generator(
        lambda: iter([1 // 0]), output_signature=tf.TensorSpec((), tf.int32)
    ),
    "generator_that_raises_value_error": lambda tf, D, np: D.from_generator(
        lambda: iter([int("a")]), output_signature=tf.TensorSpec((), tf.int32)
    ),
}

STEPS = {
    "map": lambda tf, D, np: D.range(3).map(lambda x: x * x),
    "map_of_a_pair": lambda tf, D, np: _pairs(D).map(lambda x, y: (y, x * 2)),
    "map_of_a_dict": lambda tf, D, np: D.from_tensor_slices({"a": [1, 2]}).map(
        lambda d: d["a"] + 1
    ),
    "map_to_a_dict": lambda tf, D, np: D.range(2).map(lambda x: {"b": x, "a": -x}),
    "map_to_a_list": lambda tf, D, np: D.range(2).map(lambda x: [x, -x]),
    "map_to_a_constant": lambda tf, D, np: D.range(2).map(lambda x: 1.5),
    "map_to_a_numpy_number": lambda tf, D, np: D.range(2).map(lambda x: np.float64(2)),
    "map_in_parallel": lambda tf, D, np: D.range(3).map(
        lambda x: x + 1, num_parallel_calls=tf.data.AUTOTUNE, deterministic=True
    ),
    "map_with_a_cast": lambda tf, D, np: D.from_tensor_slices(np.array([0, 255], np.uint8)).map(
        lambda x: tf.cast(x, tf.float32) / 255.0
    ),
    "map_with_a_condition": lambda tf, D, np: D.range(4).map(
        lambda x: tf.cond(x > 1, lambda: x, lambda: -x)
    ),
    "map_that_takes_too_few": lambda tf, D, np: _pairs(D).map(lambda x: x),
    "map_that_takes_too_many": lambda tf, D, np: D.range(2).map(lambda x, y: x),
    "map_that_is_a_number": lambda tf, D, np: D.range(2).map(3),
    "filter": lambda tf, D, np: D.range(6).filter(lambda x: x % 2 == 0),
    "filter_of_a_pair": lambda tf, D, np: _pairs(D).filter(lambda x, y: y > 2.0),
    "filter_by_a_number": lambda tf, D, np: D.range(3).filter(lambda x: x),
    "filter_by_a_vector": lambda tf, D, np: _pairs(D).batch(2).filter(lambda x, y: x > 1),
    "take_while": lambda tf, D, np: D.range(6).take_while(lambda x: x < 3),
    "enumerate": lambda tf, D, np: _pairs(D).enumerate(start=5),
    "flat_map": lambda tf, D, np: D.range(3).flat_map(lambda n: D.range(n + 1)),
    "flat_map_to_slices": lambda tf, D, np: (
        _pairs(D).batch(2).flat_map(lambda x, y: D.from_tensor_slices((x, y)))
    ),
    "interleave": lambda tf, D, np: D.range(1, 4).interleave(
        lambda x: D.from_tensors(x).repeat(3), cycle_length=2
    ),
    "interleave_in_blocks": lambda tf, D, np: D.range(1, 6).interleave(
        lambda x: D.from_tensors(x).repeat(6), cycle_length=2, block_length=4
    ),
    "interleave_of_unequal_lengths": lambda tf, D, np: D.range(1, 6).interleave(
        lambda x: D.range(x), cycle_length=3, block_length=2
    ),
    "interleave_of_no_place": lambda tf, D, np: D.range(3).interleave(
        lambda x: D.range(x), cycle_length=0
    ),
    "scan": lambda tf, D, np: D.range(5).scan(np.int64(0), lambda s, x: (s + x, (s, x))),
    "scan_of_another_dtype": lambda tf, D, np: D.range(3).scan(0, lambda s, x: (x, x)),
    "scan_without_a_pair": lambda tf, D, np: D.range(3).scan(np.int64(0), lambda s, x: x),
    "take": lambda tf, D, np: D.range(5).take(2),
    "take_all": lambda tf, D, np: D.range(3).take(-1),
    "take_too_many": lambda tf, D, np: D.range(3).take(9),
    "take_a_half": lambda tf, D, np: D.range(3).take(1.5),
    "skip": lambda tf, D, np: D.range(5).skip(2),
    "skip_all": lambda tf, D, np: D.range(3).skip(-1),
    "shard": lambda tf, D, np: D.range(7).shard(3, 1),
    "shard_out_of_range": lambda tf, D, np: D.range(7).shard(3, 3),
    "shard_of_none": lambda tf, D, np: D.range(7).shard(0, 0),
    "repeat": lambda tf, D, np: D.range(2).repeat(3),
    "repeat_for_ever": lambda tf, D, np: D.range(2).repeat().take(5),
    "repeat_never": lambda tf, D, np: D.range(2).repeat(0),
    "repeat_nothing_for_ever": lambda tf, D, np: D.range(0).repeat(),
    "concatenate": lambda tf, D, np: D.range(2).concatenate(D.range(5, 7)),
    "concatenate_other_shapes": lambda tf, D, np: D.from_tensors([1]).concatenate(
        D.from_tensors([1, 2])
    ),
    "concatenate_other_dtypes": lambda tf, D, np: D.range(2).concatenate(D.from_tensors(1.0)),
    "concatenate_other_structures": lambda tf, D, np: D.range(2).concatenate(_pairs(D)),
    "zip_two": lambda tf, D, np: D.zip((D.range(3), D.range(10, 20))),
    "zip_as_arguments": lambda tf, D, np: D.zip(D.range(2), _pairs(D)),
    "zip_of_a_dict": lambda tf, D, np: D.zip({"b": D.range(2), "a": _pairs(D)}),
    "zip_of_nested": lambda tf, D, np: D.zip((D.range(2), (D.range(3), D.range(4)))),
    "zip_of_nothing": lambda tf, D, np: D.zip(),
    "zip_of_a_list": lambda tf, D, np: D.zip([D.range(2), D.range(3)]),
    "zip_with_a_number": lambda tf, D, np: D.zip(D.range(2), 3),
    "unique": lambda tf, D, np: D.from_tensor_slices([1, 2, 1, 3, 2]).unique(),
    "unique_text": lambda tf, D, np: D.from_tensor_slices(["a", "b", "a"]).unique(),
    "unique_pairs": lambda tf, D, np: D.zip((D.range(2), D.range(2))).unique(),
    "choose": lambda tf, D, np: D.choose_from_datasets(
        [D.range(3), D.range(10, 13)], D.from_tensor_slices(np.array([0, 1, 1, 0]))
    ),
    "choose_until_one_is_empty": lambda tf, D, np: D.choose_from_datasets(
        [D.range(2), D.range(10, 13)], D.range(2).repeat(4)
    ),
    "choose_past_the_empty": lambda tf, D, np: D.choose_from_datasets(
        [D.range(2), D.range(10, 13)], D.range(2).repeat(4), stop_on_empty_dataset=False
    ),
    "choose_by_int32": lambda tf, D, np: D.choose_from_datasets(
        [D.range(2)], D.from_tensor_slices([0])
    ),
    "choose_out_of_range": lambda tf, D, np: D.choose_from_datasets([D.range(2)], D.range(1, 3)),
    "prefetch_and_cache": lambda tf, D, np: D.range(3).cache().prefetch(tf.data.AUTOTUNE),
    "apply": lambda tf, D, np: D.range(3).apply(lambda dataset: dataset.take(2)),
    "apply_to_no_dataset": lambda tf, D, np: D.range(3).apply(lambda dataset: 3),
    "options": lambda tf, D, np: D.range(3).with_options(tf.data.Options()),
    "assert_cardinality": lambda tf, D, np: D.range(3).apply(
        tf.data.experimental.assert_cardinality(3)
    ),
    "assert_another_cardinality": lambda tf, D, np: D.range(3).apply(
        tf.data.experimental.assert_cardinality(4)
    ),
    "assert_a_smaller_cardinality": lambda tf, D, np: D.range(3).apply(
        tf.data.experimental.assert_cardinality(2)
    ),
}

BATCHES = {
    "batch": lambda tf, D, np: D.range(5).batch(2),
    "batch_without_the_rest": lambda tf, D, np: D.range(5).batch(2, drop_remainder=True),
    "batch_of_pairs": lambda tf, D, np: _pairs(D).batch(2),
    "batch_of_dicts": lambda tf, D, np: D.from_tensor_slices({"b": [1, 2], "a": [3.0, 4.0]}).batch(
        2
    ),
    "batch_of_text": lambda tf, D, np: D.from_tensor_slices(["a", "bc", "d"]).batch(2),
    "batch_of_batches": lambda tf, D, np: D.range(8).batch(2).batch(2),
    "batch_in_parallel": lambda tf, D, np: D.range(5).batch(2, num_parallel_calls=2),
    "batch_by_a_tensor": lambda tf, D, np: D.range(5).batch(tf.constant(2, tf.int64)),
    "batch_of_unequal_shapes": lambda tf, D, np: _growing(tf, D).batch(2),
    "batch_of_0": lambda tf, D, np: D.range(5).batch(0),
    "batch_of_less": lambda tf, D, np: D.range(5).batch(-1),
    "batch_of_a_half": lambda tf, D, np: D.range(5).batch(2.5),
    "padded_batch": lambda tf, D, np: _growing(tf, D).padded_batch(2),
    "padded_batch_to_a_shape": lambda tf, D, np: _growing(tf, D).padded_batch(2, padded_shapes=[4]),
    "padded_batch_to_the_longest": lambda tf, D, np: _growing(tf, D).padded_batch(
        2, padded_shapes=[None]
    ),
    "padded_batch_with_a_value": lambda tf, D, np: _growing(tf, D).padded_batch(
        2, padding_values=np.int64(-1)
    ),
    "padded_batch_with_an_int": lambda tf, D, np: _growing(tf, D).padded_batch(
        2, padding_values=-1
    ),
    "padded_batch_with_a_float": lambda tf, D, np: _growing(tf, D).padded_batch(
        2, padding_values=1.5
    ),
    "padded_batch_of_pairs": lambda tf, D, np: (
        _growing(tf, D)
        .map(lambda row: (row, tf.shape(row)[0]))
        .padded_batch(2, padded_shapes=([None], []), padding_values=(np.int64(9), 0))
    ),
    "padded_batch_of_a_dict": lambda tf, D, np: (
        _growing(tf, D)
        .map(lambda row: {"row": row, "twice": tf.stack([row, row])})
        .padded_batch(2, padded_shapes={"row": [3], "twice": [None, 4]})
    ),
    "padded_batch_of_text": lambda tf, D, np: D.from_generator(
        lambda: iter([["a"], ["b", "c"]]), output_signature=tf.TensorSpec((None,), tf.string)
    ).padded_batch(2, padding_values="?"),
    "padded_batch_too_small": lambda tf, D, np: _growing(tf, D).padded_batch(2, padded_shapes=[1]),
    "padded_batch_of_another_rank": lambda tf, D, np: _growing(tf, D).padded_batch(
        2, padded_shapes=[None, None]
    ),
    "padded_batch_of_numbers": lambda tf, D, np: D.range(3).padded_batch(2),
    "padded_batch_without_the_rest": lambda tf, D, np: _growing(tf, D).padded_batch(
        2, drop_remainder=True
    ),
    "unbatch": lambda tf, D, np: _pairs(D).batch(2).unbatch(),
    "unbatch_numbers": lambda tf, D, np: D.range(3).unbatch(),
    "rebatch": lambda tf, D, np: D.range(10).batch(4).rebatch(3),
    "rebatch_by_a_list": lambda tf, D, np: D.range(10).batch(4).rebatch([1, 2]),
    "rebatch_without_the_rest": lambda tf, D, np: D.range(10).batch(4).rebatch(3, True),
    "window_of_batches": lambda tf, D, np: (
        D.range(7).window(3, shift=1, drop_remainder=True).flat_map(lambda window: window.batch(3))
    ),
    "window_with_a_stride": lambda tf, D, np: (
        D.range(7).window(3, 1, 2, True).flat_map(lambda window: window.batch(3))
    ),
    "window_with_gaps": lambda tf, D, np: (
        D.range(11).window(2, 4).flat_map(lambda window: window.batch(2))
    ),
    "window_with_the_rest": lambda tf, D, np: (
        D.range(7).window(3, 2).flat_map(lambda window: window.batch(3))
    ),
    "window_of_pairs": lambda tf, D, np: (
        _pairs(D).window(2).flat_map(lambda x, y: D.zip((x.batch(2), y.batch(2))))
    ),
    "window_of_0": lambda tf, D, np: D.range(7).window(0),
    "batches_then_map": lambda tf, D, np: (
        _pairs(D).batch(2).map(lambda x, y: (tf.reduce_sum(x), tf.reduce_mean(y)))
    ),
}

SHUFFLES = {
    "shuffle": lambda tf, D, np: D.range(10).shuffle(10, seed=3),
    "shuffle_in_a_small_buffer": lambda tf, D, np: D.range(10).shuffle(4, seed=1),
    "shuffle_in_a_large_buffer": lambda tf, D, np: D.range(5).shuffle(1000, seed=2),
    "shuffle_the_same_each_time": lambda tf, D, np: D.range(10).shuffle(
        4, seed=5, reshuffle_each_iteration=False
    ),
    "shuffle_and_repeat": lambda tf, D, np: D.range(5).shuffle(5, seed=3).repeat(3),
    "repeat_and_shuffle": lambda tf, D, np: D.range(5).repeat(2).shuffle(4, seed=3),
    "shuffle_and_batch": lambda tf, D, np: _pairs(D).shuffle(3, seed=8).batch(2),
    "batch_and_shuffle": lambda tf, D, np: _pairs(D).batch(2).shuffle(3, seed=8),
    "shuffle_twice": lambda tf, D, np: D.range(6).shuffle(3, seed=1).shuffle(3, seed=2),
    "shuffle_by_0": lambda tf, D, np: D.range(10).shuffle(10, seed=0),
    "shuffle_by_a_large_seed": lambda tf, D, np: D.range(10).shuffle(10, seed=2**31 + 5),
    "shuffle_cached": lambda tf, D, np: D.range(6).cache().shuffle(6, seed=4),
    "cache_shuffled": lambda tf, D, np: D.range(6).shuffle(6, seed=4).cache(),
    "shuffle_of_many": lambda tf, D, np: D.range(3000).shuffle(1500, seed=4).take(20),
    "shuffle_in_no_buffer": lambda tf, D, np: D.range(3).shuffle(0),
}


def _after_set_seed(make: Any) -> Any:
    def seeded(tf: Any, D: Any, np: Any) -> Any:
        tf.random.set_seed(11)
        return make(tf, D, np)

    return seeded


SEEDED = {
    "after_set_seed": lambda tf, D, np: D.range(10).shuffle(10),
    "after_set_seed_with_a_seed": lambda tf, D, np: D.range(10).shuffle(10, seed=7),
    "after_set_seed_the_same_each_time": lambda tf, D, np: D.range(8).shuffle(
        8, reshuffle_each_iteration=False
    ),
    "after_set_seed_two_shuffles": lambda tf, D, np: D.zip(
        (D.range(6).shuffle(6), D.range(6).shuffle(6))
    ),
}


def shuffle_after_numbers_were_drawn(tf: Any, np: Any) -> Any:
    """Each op without a seed of its own takes the next one of the program's."""
    tf.random.set_seed(4)
    tf.random.normal([2])
    tf.random.uniform([2])
    return list(tf.data.Dataset.range(6).shuffle(6).as_numpy_iterator())


ABOUT = {
    "length": lambda tf, D, np: [len(D.range(5).batch(2)), len(D.range(5).batch(2, True))],
    "length_that_is_unknown": lambda tf, D, np: len(D.range(5).filter(lambda x: x > 2)),
    "length_without_end": lambda tf, D, np: len(D.range(5).repeat()),
    "truth_of_an_empty_dataset": lambda tf, D, np: bool(D.range(0)),
    "cardinalities": lambda tf, D, np: [
        dataset.cardinality()
        for dataset in (
            D.range(5),
            D.range(5).batch(2),
            D.range(5).repeat(),
            D.range(5).repeat(2),
            D.range(0).repeat(),
            D.range(5).repeat().take(3),
            D.range(5).repeat().skip(3),
            D.range(5).filter(lambda x: x > 1),
            D.range(5).repeat().filter(lambda x: x > 1),
            D.range(5).map(lambda x: x),
            D.range(5).take(-1),
            D.range(5).skip(9),
            D.range(5).shard(2, 1),
            D.range(5).concatenate(D.range(2)),
            D.range(5).concatenate(D.range(2).repeat()),
            D.zip((D.range(5), D.range(2))),
            D.zip((D.range(5), D.range(2).repeat())),
            D.range(5).window(2),
            D.range(5).window(2, drop_remainder=True),
            D.range(5).window(2, 1, drop_remainder=True),
            D.range(5).enumerate(),
            D.range(5).cache().prefetch(1).shuffle(2),
            D.range(5).flat_map(lambda x: D.range(2)),
            D.range(5).interleave(lambda x: D.range(2)),
            D.range(5).take_while(lambda x: x < 2),
            D.range(5).unique(),
            D.range(6).batch(2).unbatch(),
            D.range(6).batch(2).repeat().unbatch(),
            D.range(6).batch(2).rebatch(3),
            D.range(6).scan(np.int64(0), lambda s, x: (s, x)),
            D.counter(),
            D.from_tensors(1),
        )
    ],
    "cardinality_of_a_generator": lambda tf, D, np: D.from_generator(
        lambda: iter([1]), output_signature=tf.TensorSpec((), tf.int32)
    ).cardinality(),
    "experimental_cardinality": lambda tf, D, np: tf.data.experimental.cardinality(D.range(5)),
    "constants": lambda tf, D, np: [
        tf.data.AUTOTUNE,
        tf.data.INFINITE_CARDINALITY,
        tf.data.UNKNOWN_CARDINALITY,
        tf.data.experimental.AUTOTUNE,
    ],
    "single_element": lambda tf, D, np: D.range(7, 8).get_single_element(),
    "single_element_of_none": lambda tf, D, np: D.range(0).get_single_element(),
    "single_element_of_two": lambda tf, D, np: D.range(2).get_single_element(),
    "next_of_a_pass": lambda tf, D, np: next(iter(_pairs(D))),
    "get_next": lambda tf, D, np: iter(_pairs(D)).get_next(),
    "get_next_at_the_end": lambda tf, D, np: iter(D.range(0)).get_next(),
    "next_at_the_end": lambda tf, D, np: next(iter(D.range(0))),
    "tensors_of_a_batch": lambda tf, D, np: list(_pairs(D).batch(3)),
    "a_namedtuple_stays_one": lambda tf, D, np: next(iter(D.from_tensor_slices(Pair([1], [2])))),
    "a_dict_stays_one": lambda tf, D, np: next(iter(D.from_tensor_slices({"b": [1], "a": [2.0]}))),
    "reduce": lambda tf, D, np: D.range(5).reduce(np.int64(0), lambda s, x: s + x),
    "reduce_a_pair": lambda tf, D, np: _pairs(D).reduce(
        (0, 0.0), lambda s, x: (s[0] + x[0], s[1] + x[1])
    ),
    "reduce_in_another_dtype": lambda tf, D, np: D.range(5).reduce(0, lambda s, x: s + x),
    "reduce_to_another_dtype": lambda tf, D, np: D.range(5).reduce(0, lambda s, x: x),
    "reduce_nothing": lambda tf, D, np: D.range(0).reduce(7, lambda s, x: s),
    "an_attribute_it_has_not": lambda tf, D, np: D.range(2).foo,
    "an_option_it_has_not": lambda tf, D, np: setattr(tf.data.Options(), "foo", 1),
    "options_that_are_none": lambda tf, D, np: D.range(2).with_options(3),
    "an_option_that_was_set": lambda tf, D, np: _with_option(tf).deterministic,
    "index": lambda tf, D, np: D.range(2)[0],
    "a_spec_equals_its_twin": lambda tf, D, np: [
        D.range(2).element_spec == tf.TensorSpec([], tf.int64),
        D.range(2).batch(2).element_spec == tf.TensorSpec([None], tf.int64),
        D.range(2).batch(2).element_spec == tf.TensorSpec([2], tf.int64),
        tf.TensorSpec([], tf.int64) == tf.TensorSpec([], tf.int32),
        tf.TensorSpec(None, tf.int64) == tf.TensorSpec(None, tf.int64),
    ],
    "windows_are_datasets": lambda tf, D, np: [
        list(window.as_numpy_iterator()) for window in D.range(5).window(2)
    ],
    "windows_of_pairs_are_two": lambda tf, D, np: [
        [list(part.as_numpy_iterator()) for part in window] for window in _pairs(D).window(3)
    ],
}


def _with_option(tf: Any) -> Any:
    options = tf.data.Options()
    options.deterministic = False
    options.threading.private_threadpool_size = 3
    return tf.data.Dataset.range(2).with_options(options).options()


def _shown(make: Any) -> Program:
    return lambda tf, np: repr(make(tf, tf.data.Dataset, np))


SHOWN = {
    "slices": lambda tf, D, np: _pairs(D),
    "a_dict": lambda tf, D, np: D.from_tensor_slices({"b": [[1, 2]], "a": [2.0]}),
    "tensors": lambda tf, D, np: D.from_tensors((1, None)),
    "range": lambda tf, D, np: D.range(2),
    "map": lambda tf, D, np: _pairs(D).batch(2).map(lambda x, y: (tf.reduce_sum(x), y)),
    "map_in_parallel": lambda tf, D, np: D.range(5).map(lambda x: -x, num_parallel_calls=2),
    "map_of_an_unknown_length": lambda tf, D, np: _growing(tf, D),
    "batch": lambda tf, D, np: _pairs(D).batch(2),
    "batch_of_a_known_size": lambda tf, D, np: _pairs(D).batch(2, drop_remainder=True),
    "padded": lambda tf, D, np: _growing(tf, D).padded_batch(2),
    "padded_to": lambda tf, D, np: _growing(tf, D).padded_batch(2, padded_shapes=[4]),
    "shuffle": lambda tf, D, np: D.range(2).shuffle(2),
    "repeat": lambda tf, D, np: D.range(2).repeat(),
    "take": lambda tf, D, np: D.range(2).take(1),
    "skip": lambda tf, D, np: D.range(2).skip(1),
    "filter": lambda tf, D, np: D.range(2).filter(lambda x: x > 0),
    "enumerate": lambda tf, D, np: D.range(2).enumerate(),
    "prefetch": lambda tf, D, np: D.range(2).prefetch(1),
    "cache": lambda tf, D, np: D.range(2).cache(),
    "concatenate": lambda tf, D, np: D.from_tensors([1]).concatenate(D.from_tensors([1, 2])),
    "unbatch": lambda tf, D, np: _pairs(D).batch(2).unbatch(),
    "rebatch": lambda tf, D, np: _pairs(D).batch(2).rebatch(3),
    "window": lambda tf, D, np: _pairs(D).window(2),
    "flat_map": lambda tf, D, np: D.range(3).flat_map(lambda x: D.from_tensors((x, 1.0))),
    "interleave": lambda tf, D, np: D.range(3).interleave(lambda x: D.from_tensors(x)),
    "scan": lambda tf, D, np: D.range(3).scan(np.int64(0), lambda s, x: (s, x)),
    "unique": lambda tf, D, np: D.range(3).unique(),
    "zip": lambda tf, D, np: D.zip({"b": D.range(2), "a": _pairs(D)}),
    "generator": lambda tf, D, np: D.from_generator(
        lambda: iter([1]), output_signature=tf.TensorSpec((None, 3), tf.int32)
    ),
    "generator_of_unknown_shape": lambda tf, D, np: D.from_generator(lambda: iter([1]), tf.int64),
    "options": lambda tf, D, np: D.range(2).with_options(tf.data.Options()),
    "shard": lambda tf, D, np: D.range(2).shard(2, 0),
}

TABLE = (
    table({f"from_{name}": _elements(make) for name, make in SOURCES.items()})
    + table({f"through_{name}": _elements(make) for name, make in STEPS.items()})
    + table({f"grouped_{name}": _elements(make) for name, make in BATCHES.items()})
    + table({f"three_passes_{name}": _passes(make) for name, make in SHUFFLES.items()})
    + table(
        {f"three_passes_{name}": _passes(_after_set_seed(make)) for name, make in SEEDED.items()}
    )
    + table({f"about_{name}": _of(make) for name, make in ABOUT.items()})
    + table({f"shown_{name}": _shown(make) for name, make in SHOWN.items()})
)


@differs("a keyword that is not known is refused; TensorFlow passes it over", raises="TypeError")
def range_with_an_unknown_keyword(tf: Any, np: Any) -> Any:
    return list(tf.data.Dataset.range(3, stop=4))


# --- gradients ---


def loop_over_batches(tf: Any, np: Any) -> Any:
    """A tape records what the loop does with the elements."""
    w = tf.Variable(2.0)
    answers = []
    for x, y in tf.data.Dataset.from_tensor_slices(([1.0, 2.0, 3.0], [2.0, 4.0, 7.0])).batch(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - y) ** 2)
        answers.append(tape.gradient(loss, w))
    return answers


def loop_inside_the_tape(tf: Any, np: Any) -> Any:
    w = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        total = tf.constant(0.0)
        for x in tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]):
            total += x * w**2
        slope = tape.gradient(total, w)
    return total, slope, tape.gradient(slope, w)


def element_that_is_watched(tf: Any, np: Any) -> Any:
    with tf.GradientTape() as tape:
        x = next(iter(tf.data.Dataset.from_tensor_slices([[1.0, 2.0]])))
        tape.watch(x)
        y = tf.reduce_sum(x**3)
    return tape.gradient(y, x)


def variable_inside_map(tf: Any, np: Any) -> Any:
    """What a dataset's function computes is data."""
    w = tf.Variable(3.0)
    dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0]).map(lambda x: x * w)
    with tf.GradientTape() as tape:
        loss = tf.add_n([tf.reduce_sum(x) for x in dataset])
    return loss, tape.gradient(loss, w)


def variable_inside_map_and_in_the_loop(tf: Any, np: Any) -> Any:
    w = tf.Variable(3.0)
    dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0]).map(lambda x: x * w)
    with tf.GradientTape() as tape:
        loss = tf.add_n([x * w for x in dataset])
    return loss, tape.gradient(loss, w)


def tensor_of_a_tape_inside_map(tf: Any, np: Any) -> Any:
    w = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        square = w * w
        dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0]).map(lambda x: x * square)
        loss = tf.add_n(list(dataset))
    return loss, tape.gradient(loss, w)


def slices_of_what_a_tape_recorded(tf: Any, np: Any) -> Any:
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.add_n(list(tf.data.Dataset.from_tensor_slices(w * w)))
    return loss, tape.gradient(loss, w)


def reduce_with_a_variable(tf: Any, np: Any) -> Any:
    w = tf.Variable(3.0)
    dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = dataset.reduce(0.0, lambda total, x: total + x * w)
    return loss, tape.gradient(loss, w)


def variable_that_changes_between_passes(tf: Any, np: Any) -> Any:
    """A dataset reads a variable when it runs, not when it was made."""
    w = tf.Variable(3.0)
    dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0]).map(lambda x: x * w)
    before = list(dataset)
    w.assign(5.0)
    return before, list(dataset)


def gradient_inside_map(tf: Any, np: Any) -> Any:
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x**3
        return tape.gradient(y, x)

    return list(tf.data.Dataset.from_tensor_slices([1.0, 2.0]).map(slope))


def forward_mode_over_a_loop(tf: Any, np: Any) -> Any:
    w = tf.Variable(2.0)
    dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]).batch(2)
    with tf.autodiff.ForwardAccumulator(w, tf.constant(1.0)) as accumulator:
        total = tf.add_n([tf.reduce_sum(x * w**2) for x in dataset])
    return total, accumulator.jvp(total)


def forward_mode_of_a_variable_inside_map(tf: Any, np: Any) -> Any:
    w = tf.Variable(2.0)
    dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]).map(lambda x: x * w)
    with tf.autodiff.ForwardAccumulator(w, tf.constant(1.0)) as accumulator:
        inside = next(iter(dataset))
    return accumulator.jvp(inside)


def second_order_in_forward_mode(tf: Any, np: Any) -> Any:
    w = tf.Variable(2.0)
    dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]).batch(2)
    with tf.autodiff.ForwardAccumulator(w, tf.constant(1.0)) as accumulator:
        with tf.GradientTape() as tape:
            total = tf.add_n([tf.reduce_sum(x * w**3) for x in dataset])
        slope = tape.gradient(total, w)
    return slope, accumulator.jvp(slope)


def elements_after_the_array_changed(tf: Any, np: Any) -> Any:
    """A dataset holds a copy of what it was made of."""
    array = np.array([1.0, 2.0])
    dataset = tf.data.Dataset.from_tensor_slices(array)
    array[0] = 9.0
    return list(dataset)


def an_array_of_the_users_own(tf: Any, np: Any) -> Any:
    dataset = tf.data.Dataset.from_tensor_slices([[1.0, 2.0]])
    row = next(dataset.as_numpy_iterator())
    with contextlib.suppress(ValueError):
        row[0] = 9.0
    return list(dataset)


@differs(
    "each pass runs the function, and TensorFlow's graph was made when map was called",
    gives=[0, 3, 6],
)
def how_often_a_function_runs(tf: Any, np: Any) -> Any:
    calls = []
    dataset = tf.data.Dataset.range(3).map(lambda x: calls.append(1) or x)
    counted = [len(calls)]
    for _ in range(2):
        list(dataset)
        counted.append(len(calls))
    return counted


def _drawn(tf: Any) -> list[int]:
    dataset = tf.data.Dataset.sample_from_datasets(
        [tf.data.Dataset.range(5), tf.data.Dataset.range(10, 15)], [0.5, 0.5], seed=3
    )
    return [int(x) for x in dataset]


def samples(tf: Any, np: Any) -> Any:
    """All elements come, in the same order for the same seed."""
    return [sorted(_drawn(tf)), _drawn(tf) == _drawn(tf)]


@differs("the numbers of this draw come from Python's generator", gives=True)
def samples_in_another_order(tf: Any, np: Any) -> Any:
    return _drawn(tf) != [10, 11, 12, 0, 13, 14, 1, 2, 3, 4]
