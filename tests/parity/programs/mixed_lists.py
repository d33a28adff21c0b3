"""Lists of leaves that do not have one type: the first leaf decides the dtype, and which other leaves go with it."""

from collections.abc import Callable
from typing import Any

from programs.case import differs, table

Leaf = Callable[[Any], Any]

WRAPS = "TensorFlow keeps the lowest bits, and says nothing; here a warning names the line"
TOO_LARGE = "TensorFlow makes it infinite, and says nothing"

# By the name of a leaf: how it is made from NumPy.
LEAVES: dict[str, Leaf] = {
    "float": lambda np: 1.5,
    "int": lambda np: 2,
    "bool": lambda np: True,
    "complex": lambda np: 1j,
    "text": lambda np: "a",
    "wide_int": lambda np: 2**40,
    "float64": lambda np: np.float64(2.5),
    "float32": lambda np: np.float32(2.5),
    "float16": lambda np: np.float16(2.5),
    "int64": lambda np: np.int64(3),
    "numpy_bool": lambda np: np.bool_(True),
    "complex64": lambda np: np.complex64(2j),
    "float64_array": lambda np: np.array(3.5),
    "int64_array": lambda np: np.array(4),
}
TWO_OF = ("float", "bool", "complex", "float64", "int64", "numpy_bool")
DTYPES = ("float32", "int32", "uint8", "complex128")


def _pair(first: str, second: str, dtype: str | None = None) -> Any:
    def program(tf: Any, np: Any) -> Any:
        return tf.constant([LEAVES[first](np), LEAVES[second](np)], dtype)

    if (first, second, dtype) == ("float16", "wide_int", None):
        return differs(TOO_LARGE, raises="ValueError")(program)
    return program


PAIRS = {f"{first}_and_{second}": _pair(first, second) for first in LEAVES for second in LEAVES} | {
    f"{first}_and_{second}_as_{dtype}": _pair(first, second, dtype)
    for first in TWO_OF
    for second in TWO_OF
    for dtype in DTYPES
}

NESTED = {
    "first_leaf_of_the_first_row": lambda tf, np: tf.constant([[1, 2], [3.5, np.float64(4)]]),
    "a_row_that_is_an_array": lambda tf, np: tf.constant([[1.0, 2.0], np.array([3.0, 4.0])]),
    "a_first_row_that_is_an_array": lambda tf, np: tf.constant([np.array([3.0, 4.0]), [1.0, 2.0]]),
    "a_first_row_of_ints": lambda tf, np: tf.constant([np.array([3, 4]), [1.5, 2.5]]),
    "two_rows_of_float32": lambda tf, np: tf.constant([np.ones(2, np.float32)] * 2),
    "two_rows_of_uint8": lambda tf, np: tf.constant([np.ones(2, np.uint8)] * 2),
    "two_rows_of_int64": lambda tf, np: tf.constant([np.array([1, 2**40])] * 2),
    "two_rows_of_complex64": lambda tf, np: tf.constant([np.ones(2, np.complex64)] * 2),
    "two_rows_of_bools": lambda tf, np: tf.constant([np.array([True, False])] * 2),
    "rows_of_bools_and_ints": lambda tf, np: tf.constant([np.array([True]), np.array([2])]),
    "rows_of_objects": lambda tf, np: tf.constant([np.array([1, 2.5], object), [3, 4]]),
    "an_empty_row_of_float64": lambda tf, np: tf.constant([np.zeros(0)]),
    "rows_of_another_length": lambda tf, np: tf.constant([np.zeros(2), np.zeros(3)]),
    "a_number_and_a_row": lambda tf, np: tf.constant([1.0, [2.0]]),
    "the_least_int32": lambda tf, np: tf.constant([-(2**31), 2**31 - 1]),
    "one_less_than_the_least_int32": lambda tf, np: tf.constant([-(2**31) - 1]),
    "a_wide_int_then_a_float": lambda tf, np: tf.constant([2**40, 0.5]),
    "a_too_wide_int_then_a_float": lambda tf, np: tf.constant([2**70, 0.5]),
    "a_uint64_beyond_int64": lambda tf, np: tf.constant([np.uint64(2**63)]),
    "a_float_too_large_for_float16": lambda tf, np: tf.constant([np.float16(1), 1e6]),
    "a_float64_too_large_for_float32": lambda tf, np: tf.constant([1.0, np.float64(1e300)]),
    "infinity_among_floats": lambda tf, np: tf.constant([1.0, np.inf, np.float64(-np.inf), np.nan]),
    "none_after_a_float": lambda tf, np: tf.constant([np.float64(1), None]),
    "a_set_in_a_list": lambda tf, np: tf.constant([{1}, {2}]),
    "a_wide_int_and_an_array_as_int32": differs(WRAPS, warns=("UserWarning",))(
        lambda tf, np: tf.constant([2**40, np.array(3)], tf.int32)
    ),
}

# Elsewhere than in `tf.constant`.
ELSEWHERE = {
    "variable_of_a_mixed_list": lambda tf, np: tf.Variable([1.0, np.float64(2)]).numpy(),
    "convert_a_mixed_list": lambda tf, np: tf.convert_to_tensor([np.float64(2), 1.0]),
    "stack_a_mixed_list": lambda tf, np: tf.stack([1, np.float64(2)]),
    "sum_of_a_mixed_list": lambda tf, np: tf.reduce_sum([np.int64(1), 2.5]),
    "a_mixed_list_beside_float64": lambda tf, np: tf.constant([1.0], tf.float64) * [1, np.pi],
    "bools_and_ints_beside_floats": lambda tf, np: tf.constant([1.0, 2.0]) * [True, 2],
    "bools_beside_ints": lambda tf, np: tf.constant([1, 2]) * [True, False],
    "numpys_bools_beside_ints": lambda tf, np: tf.constant([1, 2]) * [np.bool_(True), 2],
    "floats_beside_ints": lambda tf, np: tf.constant([1, 2]) * [1, np.float64(2.5)],
    "a_tensor_after_a_float64": lambda tf, np: tf.convert_to_tensor(
        [np.float64(1), tf.constant(2.0)]
    ),
    "a_float64_after_a_tensor": lambda tf, np: tf.convert_to_tensor(
        [tf.constant(2.0), np.float64(1)]
    ),
    "an_int_after_a_variable": lambda tf, np: tf.convert_to_tensor([tf.Variable(2.0), 1]),
    "a_float_after_an_int_tensor": lambda tf, np: tf.convert_to_tensor([tf.constant(2), 1.5]),
    "a_truth_as_float16": lambda tf, np: tf.constant(True, tf.float16),
    "a_truth_as_uint8": lambda tf, np: tf.constant(True, tf.uint8),
    "a_truth_as_int64": lambda tf, np: tf.constant(True, tf.int64),
    "a_truth_as_complex128": lambda tf, np: tf.constant(True, tf.complex128),
    "a_truth_as_complex64": lambda tf, np: tf.constant(True, tf.complex64),
    "a_truth_as_bfloat16": lambda tf, np: tf.constant(True, tf.bfloat16),
}

TEXTS = {
    "an_array_of_texts_in_a_list": lambda tf, np: tf.constant([np.array(["a", "bc"])]),
    "two_arrays_of_texts": lambda tf, np: tf.constant([np.array(["a"]), np.array(["bc"])]),
    "two_arrays_of_bytes": lambda tf, np: tf.constant([np.array([b"a"]), np.array([b"bc"])]),
    "texts_and_an_array_of_texts": lambda tf, np: tf.constant([["ü"], np.array(["bc"])]),
    "an_array_of_texts_of_rank_0": lambda tf, np: tf.constant([np.array("a"), "b"]),
    "arrays_of_text_objects": lambda tf, np: tf.constant(
        [np.array(["a", b"b"], object), ["c", "d"]]
    ),
    "arrays_of_texts_of_other_lengths": lambda tf, np: tf.constant(
        [np.array(["a"]), np.array(["b", "c"])]
    ),
    "arrays_of_texts_and_of_numbers": lambda tf, np: tf.constant(
        [np.array(["a"]), np.array([1.0])]
    ),
    "a_text_of_numpy": lambda tf, np: tf.constant(np.str_("a")),
    "bytes_of_numpy": lambda tf, np: tf.constant(np.bytes_(b"a")),
    "texts_of_numpy": lambda tf, np: tf.constant([np.str_("a"), "b", np.bytes_(b"c")]),
    "stack_arrays_of_texts": lambda tf, np: tf.stack([np.array(["a"]), np.array(["b"])]),
    "concat_arrays_of_texts": lambda tf, np: tf.concat([np.array(["a"]), np.array(["b", "c"])], 0),
    "arrays_of_texts_as_float32": lambda tf, np: tf.constant([np.array(["1"])], tf.float32),
    "a_text_of_numpy_after_a_tensor": lambda tf, np: tf.convert_to_tensor(
        [tf.constant(1.0), np.str_("a")]
    ),
}

TABLE = table(PAIRS | NESTED | ELSEWHERE | TEXTS)
