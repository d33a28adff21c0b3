"""Odd arguments that are refused, as which exception; and texts where numbers usually stand."""

from typing import Any

from programs.case import differs, table

BY_ACCIDENT = "TensorFlow trips over a zero there, and has no words for it"
LISTS = (
    "TensorFlow adds and negates lists as Python does, and so refuses them; here they are values"
)

CHOICES = {
    "no_such_choice": lambda tf, np: tf.UnconnectedGradients(5),
    "a_list_for_a_choice": lambda tf, np: tf.VariableAggregation([1, None]),
    "an_array_for_a_choice": lambda tf, np: tf.VariableSynchronization(np.zeros([0, 3])),
    "a_choice_by_its_value": lambda tf, np: [
        tf.UnconnectedGradients("zero") is tf.UnconnectedGradients.ZERO,
        tf.VariableAggregation(2.0) == tf.VariableAggregation.MEAN,
        tf.VariableSynchronization(tf.VariableSynchronization.AUTO).name,
    ],
    "a_dtype_of_a_list": lambda tf, np: tf.DType([1], [2]),
}

OF_NUMPYS_TEXTS = {
    "text_as_float": lambda tf, np: tf.constant(np.array("s"), tf.float32),
    "text_as_int": lambda tf, np: tf.constant(np.array(["s"]), tf.int32),
    "text_as_complex": lambda tf, np: tf.constant(np.array(["x"]), tf.complex64),
    "text_that_is_a_number": lambda tf, np: tf.constant(np.array(["1", "2"]), tf.int32),
    "text_as_the_range_of_a_histogram": lambda tf, np: tf.histogram_fixed_width(
        [1.0, 2.0], np.array("s")
    ),
}

OF_TEXTS = {
    "count_nonzero_of_a_text": lambda tf, np: tf.math.count_nonzero("relu"),
    "count_nonzero_of_texts": lambda tf, np: tf.math.count_nonzero(
        [["relu", ""], ["", ""]], axis=1
    ),
    "zero_fraction_of_texts": lambda tf, np: tf.nn.zero_fraction(["relu", ""]),
    "zeros_like_texts": lambda tf, np: tf.zeros_like(["a", "b"]),
    "zeros_like_a_text": lambda tf, np: tf.zeros_like("a"),
    "zeros_like_as_text": lambda tf, np: tf.zeros_like([1], tf.string),
    "ones_like_texts": lambda tf, np: tf.ones_like(["a", "b"]),
    "ones_like_as_text": lambda tf, np: tf.ones_like([1], tf.string),
    "eye_of_texts": lambda tf, np: tf.eye(2, dtype=tf.string),
    "one_hot_texts": lambda tf, np: tf.one_hot(
        [1], 2, on_value="a", off_value="b", dtype=tf.string
    ),
    "one_hot_of_one_text": lambda tf, np: tf.one_hot([1], 2, on_value="a"),
    "pad_texts": lambda tf, np: tf.pad(tf.constant(["a"]), [[1, 1]]),
    "pad_texts_with_one": lambda tf, np: tf.pad(tf.constant(["a"]), [[1, 1]], constant_values="z"),
    "scatter_texts": lambda tf, np: tf.scatter_nd([[1]], ["a"], [3]),
    "update_texts": lambda tf, np: tf.tensor_scatter_nd_update(["a", "b"], [[1]], ["c"]),
    "stitch_texts": lambda tf, np: tf.dynamic_stitch([[0], [2]], [["a"], ["b"]]),
    "add_lists_of_texts": lambda tf, np: tf.add(["a"], ["b"]),
    "diag_of_texts": differs(
        "a text is a wrong dtype for the op as others are", raises="InvalidArgumentError"
    )(lambda tf, np: tf.linalg.diag(["a", "b"])),
    "linspace_of_texts": lambda tf, np: tf.linspace("a", "b", 2),
    "linspace_of_text_tensors": lambda tf, np: tf.linspace(tf.constant("a"), tf.constant("b"), 2),
}

MERGING = {
    "concatenate_an_empty_list": differs(BY_ACCIDENT, raises="ValueError")(
        lambda tf, np: tf.keras.layers.concatenate([[]])
    ),
    "concatenate_scalars": differs(BY_ACCIDENT, raises="ValueError")(
        lambda tf, np: tf.keras.layers.concatenate([tf.constant(1.0), tf.constant(2.0)])
    ),
    "dot_of_empty_lists": differs(BY_ACCIDENT, raises="ValueError")(
        lambda tf, np: tf.keras.layers.dot([[], []], axes=1)
    ),
}

LOSSES = {
    "generalized_entropy_of_a_scalar": lambda tf, np: (
        tf.keras.losses.categorical_generalized_cross_entropy(-7, 2.5, 0.5)
    ),
}


def _padded(**settings: Any) -> Any:
    rows = settings.pop("rows", [[1], [2, 3]])
    return lambda tf, np: tf.keras.utils.pad_sequences(rows, **settings)


PADDED = {
    "pad_a_text": _padded(rows="float32"),
    "pad_lists_of_texts": _padded(rows=[["a", "b"], ["c"]]),
    "pad_with_a_list": _padded(value=[1, 2]),
    "pad_of_none": _padded(rows=[[None]]),
    "pad_with_none": _padded(value=None),
    "pad_ragged_rows": _padded(rows=[[1, [2, 3]]]),
    "pad_to_no_dtype": _padded(dtype="nope"),
    "pad_too_wide_a_number": differs(
        "a number that its dtype cannot hold is a wrong value", raises="ValueError"
    )(_padded(rows=[[2**40]])),
    "pad_to_a_broken_length": _padded(maxlen=1.5),
    "pad_to_a_negative_length": differs(
        "a size below 0 is refused by all functions in the same words",
        raises="InvalidArgumentError",
    )(_padded(maxlen=-1)),
}


def _row(numbers: list[float]) -> dict[str, Any]:
    return {"kind": "Tensor", "dtype": "float32", "shape": [1, 3], "value": [numbers]}


def _normalized(variance: Any = 1.0, epsilon: Any = 0.1, **others: Any) -> Any:
    def program(tf: Any, np: Any) -> Any:
        x = tf.constant([[1.0, 2.0, 3.0]])
        given = {"mean": 0.0, "offset": None, "scale": None, **others}
        return tf.nn.batch_normalization(x, variance=variance, variance_epsilon=epsilon, **given)

    return program


NORMALIZED = {
    "normalize_by_numbers": _normalized(),
    "normalize_with_a_list_as_epsilon": differs(
        LISTS, gives=_row([0.9534626, 1.8257419, 2.6311741])
    )(_normalized(epsilon=[0.1, 0.2, 0.3])),
    "normalize_with_lists": differs(LISTS, gives=_row([0.0, 0.6900656, 1.1359237]))(
        _normalized([1.0, 2.0, 3.0], mean=[1.0, 1.0, 1.0])
    ),
    "normalize_with_text_as_epsilon": _normalized(epsilon="a"),
    "normalize_by_whole_numbers": _normalized(-7, 1),
}

DRAWN = {
    "gamma_of_texts": lambda tf, np: tf.random.stateless_gamma(
        [2], [2, 2], tf.constant(["a", "b"])
    ),
    "gamma_by_a_text": lambda tf, np: tf.random.stateless_gamma([2], [2, 2], [1.0, 2.0], beta="a"),
    "gamma_of_another_dtype": lambda tf, np: tf.random.stateless_gamma(
        [2], [2, 2], tf.constant([1, 2])
    ),
    "gamma_of_another_shape": lambda tf, np: tf.random.stateless_gamma([3], [2, 2], [1.0, 2.0]),
    "gamma_of_whole_numbers": lambda tf, np: tf.random.gamma([3], tf.constant([1, 2])),
}

SIGNALS = {
    "dct_of_two_axes": lambda tf, np: tf.signal.dct(tf.ones([2, 3]), axis=[1, 2]),
    "dct_of_the_first_axis": lambda tf, np: tf.signal.dct(tf.ones([2, 3]), axis=0),
    "idct_of_an_axis_in_a_tensor": lambda tf, np: tf.signal.idct(
        tf.ones([2, 3]), axis=tf.constant(-1)
    ),
}

ACCUMULATED = {
    "accumulate_to_a_shape": lambda tf, np: tf.math.accumulate_n([tf.ones([2])] * 2, shape=[None]),
    "accumulate_to_another_shape": lambda tf, np: tf.math.accumulate_n([tf.ones([2])], shape=[3]),
    "accumulate_to_another_dtype": lambda tf, np: tf.math.accumulate_n(
        [tf.ones([2])], tensor_dtype=tf.float64
    ),
    "accumulate_of_numbers": lambda tf, np: tf.math.accumulate_n([1.0, 2.0]),
    "accumulate_nothing": lambda tf, np: tf.math.accumulate_n([]),
}

IN_THEIR_ORDER = {
    "none_equal_by_position": lambda tf, np: tf.debugging.assert_none_equal([1.0], [2.0], 3, "so"),
    "none_equal_that_are": lambda tf, np: tf.debugging.assert_none_equal([1.0], [1.0], None, "so"),
    "check_numerics_by_name": lambda tf, np: tf.debugging.check_numerics(tensor=[1.0], message="x"),
    "numpy_function_by_name": lambda tf, np: tf.numpy_function(
        func=np.sin, inp=[tf.zeros([1])], Tout=tf.float32
    ),
    "numpy_function_of_no_dtype": lambda tf, np: tf.numpy_function(np.sin, [0.0]),
    "numpy_function_as_decorator": lambda tf, np: tf.numpy_function(Tout=tf.float32)(np.cos)(
        tf.zeros([1])
    ),
    "strided_slice_of_a_variable": differs(
        "what would change the variable is refused, with what to write instead", raises="TypeError"
    )(lambda tf, np: tf.strided_slice(tf.ones([3]), [0], [2], var=tf.Variable([1.0]))),
}


@differs("a tf.function runs as it is written, and makes no graph", raises="RuntimeError")
def gradients_inside_a_function(tf: Any, np: Any) -> Any:
    x = tf.Variable(3.0)
    return tf.function(lambda: tf.gradients(x * x, x))()


IN_MEMORY = {
    "bytes_of_numbers": lambda tf, np: list(bytes(tf.constant([1, 2]))),
    "bytes_of_a_float": lambda tf, np: list(bytes(tf.constant([[1.5]]))),
    "bytes_of_a_whole_number": lambda tf, np: list(bytes(tf.constant(3))),
    "bytes_of_less_than_nothing": lambda tf, np: bytes(tf.constant(-3)),
    "bytes_of_a_transpose": lambda tf, np: list(bytes(tf.transpose(tf.constant([[1, 2], [3, 4]])))),
    "bytes_of_a_variable": lambda tf, np: list(bytes(tf.Variable([1, 2]))),
    "memory_of_a_variable": lambda tf, np: memoryview(tf.Variable([1, 2])),
}

OF_NAN = {
    f"cholesky_with_nan_at_{place[0]}_{place[1]}": lambda tf, np, place=place: tf.linalg.cholesky(
        tf.tensor_scatter_nd_update(tf.eye(2), [place], [float("nan")])
    )
    for place in ((0, 0), (1, 1), (1, 0))
}

TABLE = table(
    {
        **CHOICES,
        **OF_NUMPYS_TEXTS,
        **OF_TEXTS,
        **MERGING,
        **LOSSES,
        **PADDED,
        **NORMALIZED,
        **DRAWN,
        **SIGNALS,
        **ACCUMULATED,
        **IN_THEIR_ORDER,
        **IN_MEMORY,
        **OF_NAN,
    }
)
