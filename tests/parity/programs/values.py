"""What becomes which tensor: dtypes of constants and operands, and how a tensor looks to Python."""

from typing import Any

from programs.case import differs, table


def _vector(tf: Any) -> Any:
    return tf.constant([1.0, 2.0])


def _seen(tensor: Any) -> Any:
    return tensor.dtype, tensor.shape, tensor


TABLE = table(
    {
        # --- tf.constant ---
        "constant_of_a_float": lambda tf, np: tf.constant(1.0),
        "constant_of_an_int": lambda tf, np: tf.constant(1),
        "constant_of_a_bool": lambda tf, np: tf.constant(True),
        "constant_of_a_complex": lambda tf, np: tf.constant(1j),
        "constant_of_a_string": lambda tf, np: tf.constant("a"),
        "constant_of_a_large_int": lambda tf, np: tf.constant(2**31 - 1),
        "constant_of_a_float64_scalar": lambda tf, np: tf.constant(np.float64(1.0)),
        "constant_of_a_float32_scalar": lambda tf, np: tf.constant(np.float32(1.0)),
        "constant_of_an_int64_scalar": lambda tf, np: tf.constant(np.int64(1)),
        "constant_of_a_float64_array": lambda tf, np: tf.constant(np.array([1.0, 2.0])),
        "constant_of_an_int64_array": lambda tf, np: tf.constant(np.array([1, 2])),
        "constant_of_a_bool_array": lambda tf, np: tf.constant(np.array([True, False])),
        "constant_of_a_uint8_array": lambda tf, np: tf.constant(np.array([1, 2], np.uint8)),
        "constant_of_a_float16_array": lambda tf, np: tf.constant(np.array([1, 2], np.float16)),
        "constant_of_a_mixed_list": lambda tf, np: tf.constant([1, 2.0]),
        "constant_of_a_list_of_bools": lambda tf, np: tf.constant([True, False]),
        "constant_of_nested_lists": lambda tf, np: tf.constant([[1, 2], [3, 4]]),
        "constant_of_a_tuple": lambda tf, np: tf.constant((1, 2)),
        "constant_of_a_range": lambda tf, np: tf.constant(range(3)),
        "constant_of_nothing": lambda tf, np: tf.constant([]),
        "constant_of_strings": lambda tf, np: tf.constant(["a", "bc"]),
        "constant_in_a_dtype": lambda tf, np: tf.constant([1, 2], dtype=tf.float64),
        "constant_in_a_named_dtype": lambda tf, np: tf.constant([1, 2], "float32"),
        "constant_in_a_numpy_dtype": lambda tf, np: tf.constant([1, 2], np.float32),
        "constant_in_a_shape": lambda tf, np: tf.constant([1, 2, 3, 4], shape=[2, 2]),
        "constant_that_fills_a_shape": lambda tf, np: tf.constant(7.0, shape=(2, 3)),
        "constant_of_none": lambda tf, np: tf.constant(None),
        "constant_of_a_ragged_list": lambda tf, np: tf.constant([[1], [2, 3]]),
        "constant_of_a_float_as_int": lambda tf, np: tf.constant(1.5, tf.int32),
        "constant_of_a_set": lambda tf, np: tf.constant({1, 2}),
        # --- tf.convert_to_tensor ---
        "convert_an_array_to_float32": lambda tf, np: tf.convert_to_tensor(
            np.array([1.0, 2.0]), tf.float32
        ),
        "convert_a_float_to_int": lambda tf, np: tf.convert_to_tensor(1.5, tf.int32),
        "convert_a_tensor_to_another_dtype": lambda tf, np: tf.convert_to_tensor(
            tf.constant(1.0), tf.float64
        ),
        "convert_a_list_of_tensors": lambda tf, np: tf.convert_to_tensor(
            [tf.constant(1.0), tf.constant(2.0)]
        ),
        "convert_a_list_of_a_tensor_and_a_number": lambda tf, np: tf.convert_to_tensor(
            [tf.constant(1.0), 2.0]
        ),
        "convert_a_variable": lambda tf, np: tf.convert_to_tensor(tf.Variable([1.0, 2.0])),
        # --- operands ---
        "float32_plus_float64_array": lambda tf, np: _vector(tf) + np.array([1.0, 2.0]),
        "float64_array_plus_float32": lambda tf, np: np.array([1.0, 2.0]) + _vector(tf),
        "float32_times_float64_scalar": lambda tf, np: _vector(tf) * np.float64(2),
        "float64_scalar_times_float32": lambda tf, np: np.float64(2) * _vector(tf),
        "float32_plus_int": lambda tf, np: _vector(tf) + 1,
        "int_minus_float32": lambda tf, np: 1 - _vector(tf),
        "float32_plus_int_array": lambda tf, np: _vector(tf) + np.array([1, 2]),
        "float32_plus_a_list": lambda tf, np: tf.add(_vector(tf), [10.0, 20.0]),
        "float64_plus_float": lambda tf, np: tf.constant([1.0], tf.float64) + 0.1,
        "int_plus_int": lambda tf, np: tf.constant(1) + 2,
        "int_tensor_plus_float": lambda tf, np: tf.constant(1) + 1.5,
        "int_tensor_plus_float_tensor": lambda tf, np: tf.constant(1) + tf.constant(1.0),
        "float32_tensor_plus_float64_tensor": lambda tf, np: (
            tf.constant(1.0) + tf.constant(1.0, tf.float64)
        ),
        "int_divided_by_int": lambda tf, np: tf.constant(3) / tf.constant(2),
        "int_floor_divided_by_int": lambda tf, np: tf.constant(-3) // tf.constant(2),
        "int_modulo_int": lambda tf, np: tf.constant(-3) % tf.constant(2),
        "float_floor_divided": lambda tf, np: tf.constant([-3.5, 3.5]) // 2.0,
        "float_modulo": lambda tf, np: tf.constant([-3.5, 3.5]) % 2.0,
        "int_to_a_power": lambda tf, np: tf.constant(3) ** 2,
        "float_to_an_int_power": lambda tf, np: _vector(tf) ** 2,
        "int_to_a_float_power": lambda tf, np: 2 ** _vector(tf),
        "negative": lambda tf, np: -_vector(tf),
        "absolute": lambda tf, np: abs(-_vector(tf)),
        "matrix_product": lambda tf, np: tf.constant([[1.0, 2.0]]) @ tf.constant([[3.0], [4.0]]),
        "array_at_tensor": lambda tf, np: np.ones((2, 2), np.float32) @ tf.constant([[1.0], [2.0]]),
        "list_at_variable": lambda tf, np: [[1.0, 2.0]] @ tf.Variable([[3.0], [4.0]]),
        "less": lambda tf, np: _vector(tf) < 2.0,
        "greater_or_equal": lambda tf, np: _vector(tf) >= 2.0,
        "equal": lambda tf, np: _vector(tf) == _vector(tf),
        "not_equal": lambda tf, np: _vector(tf) != 1.0,
        "equal_to_none": lambda tf, np: _vector(tf) == None,  # noqa: E711  # asked of the operator
        "logical_and": lambda tf, np: (_vector(tf) > 0.0) & (_vector(tf) > 1.0),
        "logical_not": lambda tf, np: ~(_vector(tf) > 1.0),
        "broadcast_of_operands": lambda tf, np: tf.constant([[1.0], [2.0]]) + _vector(tf),
        "shapes_that_do_not_fit": lambda tf, np: _vector(tf) + tf.constant([1.0, 2.0, 3.0]),
        "vector_at_vector": lambda tf, np: _vector(tf) @ _vector(tf),
        "matmul_of_shapes_that_do_not_fit": lambda tf, np: tf.matmul(
            tf.ones((2, 3)), tf.ones((2, 3))
        ),
        "reshape_to_another_size": lambda tf, np: tf.reshape(_vector(tf), [3]),
        "reduce_over_a_missing_axis": lambda tf, np: tf.reduce_sum(_vector(tf), axis=3),
        "concat_of_different_ranks": lambda tf, np: tf.concat(
            [_vector(tf), tf.constant([[1.0]])], 0
        ),
        "cast_to_int_truncates": lambda tf, np: tf.cast([2.7, -2.7], tf.int32),
        "cast_of_a_bool": lambda tf, np: tf.cast(tf.constant([True, False]), tf.float32),
        "boolean_to_float_by_name": lambda tf, np: tf.cast(True, "float32"),
        # --- how it looks to Python ---
        "dtype_and_shape": lambda tf, np: _seen(_vector(tf)),
        "dtype_equals_its_name": lambda tf, np: _vector(tf).dtype == "float32",
        "dtype_equals_numpys": lambda tf, np: _vector(tf).dtype == np.float32,
        "dtype_is_floating": lambda tf, np: [
            tf.float16.is_floating,
            tf.int32.is_floating,
            tf.complex64.is_floating,
        ],
        "dtype_limits": lambda tf, np: [tf.int32.max, tf.int8.min, tf.uint8.max, tf.float32.size],
        "dtype_repr": lambda tf, np: [repr(tf.float32), str(tf.float32), tf.as_dtype("int64").name],
        "dtype_of_an_unknown_name": lambda tf, np: tf.as_dtype("float33"),
        "shape_equals_a_list": lambda tf, np: _vector(tf).shape == [2],
        "shape_equals_a_tuple": lambda tf, np: _vector(tf).shape == (2,),
        "shape_rank": lambda tf, np: tf.zeros((2, 3)).shape.rank,
        "shape_as_list": lambda tf, np: tf.zeros((2, 3)).shape.as_list(),
        "shape_slice": lambda tf, np: tf.zeros((2, 3, 4)).shape[1:],
        "shape_text": lambda tf, np: [str(tf.zeros((2, 3)).shape), repr(tf.zeros(2).shape)],
        "shape_num_elements": lambda tf, np: tf.zeros((2, 3)).shape.num_elements(),
        "numpy_of_a_scalar": lambda tf, np: tf.constant(2.0).numpy(),
        "numpy_of_a_vector": lambda tf, np: _vector(tf).numpy(),
        "float_of_a_scalar": lambda tf, np: float(tf.constant(2.0)),
        "int_of_a_float": lambda tf, np: int(tf.constant(2.7)),
        "index_with_a_tensor": lambda tf, np: [1, 2, 3][tf.constant(1)],
        "bool_of_a_scalar": lambda tf, np: bool(tf.constant(2.0)),
        "bool_of_a_vector": lambda tf, np: bool(_vector(tf)),
        "len_of_a_vector": lambda tf, np: len(_vector(tf)),
        "len_of_a_scalar": lambda tf, np: len(tf.constant(1.0)),
        "iteration": lambda tf, np: list(_vector(tf)),
        "iteration_over_a_scalar": lambda tf, np: list(tf.constant(1.0)),
        "float_of_a_vector": lambda tf, np: float(_vector(tf)),
        "text_of_a_scalar": lambda tf, np: [str(tf.constant(2.0)), repr(tf.constant(2.0))],
        "text_of_a_vector": lambda tf, np: [str(_vector(tf)), repr(_vector(tf))],
        "text_of_an_int": lambda tf, np: [str(tf.constant(2)), repr(tf.constant([2]))],
        "text_of_a_string": lambda tf, np: [str(tf.constant("a")), repr(tf.constant("a"))],
        "text_of_a_bool": lambda tf, np: [str(tf.constant(True)), repr(tf.constant(True))],
        "formatted": lambda tf, np: f"{tf.constant(2.0):.2f}",
        "ndim": lambda tf, np: tf.zeros((2, 3)).ndim,
        "numpy_mean_leaves": lambda tf, np: np.mean(_vector(tf)),
        "numpy_sin_leaves": lambda tf, np: np.sin(_vector(tf)),
        "numpy_array_of_a_tensor": lambda tf, np: np.array(_vector(tf)),
        "method_mean": lambda tf, np: _vector(tf).mean(),
        "method_item": lambda tf, np: tf.constant(1.0).item(),
        "attribute_t": lambda tf, np: _vector(tf).T,
        "attribute_size": lambda tf, np: _vector(tf).size,
        "hash_of_a_tensor": lambda tf, np: hash(_vector(tf)),
        "references_of_one_tensor": lambda tf, np: (lambda x: x.ref() == x.ref())(_vector(tf)),
        "references_of_two_tensors": lambda tf, np: _vector(tf).ref() == _vector(tf).ref(),
        # --- indexing ---
        "one_element": lambda tf, np: _vector(tf)[0],
        "last_element": lambda tf, np: _vector(tf)[-1],
        "reversed_slice": lambda tf, np: _vector(tf)[::-1],
        "newaxis_and_ellipsis": lambda tf, np: _vector(tf)[tf.newaxis, ..., None],
        "a_column": lambda tf, np: tf.constant([[1.0, 2.0], [3.0, 4.0]])[:, 1],
        "a_block": lambda tf, np: tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])[:, 1:3],
        "strided": lambda tf, np: tf.range(7)[1:6:2],
        "index_by_a_tensor": lambda tf, np: _vector(tf)[tf.constant(1)],
        "mask": lambda tf, np: _vector(tf)[_vector(tf) > 1.0],
        "index_by_a_list": lambda tf, np: _vector(tf)[[0]],
        "index_out_of_bounds": lambda tf, np: _vector(tf)[5],
        "index_by_a_float": lambda tf, np: _vector(tf)[0.5],
        "empty_slice": lambda tf, np: _vector(tf)[2:],
        # --- variables ---
        "variable_of_a_float": lambda tf, np: tf.Variable(1.0),
        "variable_of_an_int": lambda tf, np: tf.Variable(1),
        "variable_of_an_array": lambda tf, np: tf.Variable(np.array([1.0, 2.0])),
        "variable_in_a_dtype": lambda tf, np: tf.Variable([1, 2], dtype=tf.float32),
        "variable_of_a_tensor": lambda tf, np: tf.Variable(tf.constant([1.0])),
        "variable_of_a_function": lambda tf, np: tf.Variable(lambda: tf.constant(1.0)),
        "variable_of_none": lambda tf, np: tf.Variable(None),
        "variable_names": lambda tf, np: [
            tf.Variable(1.0).name,
            tf.Variable(1.0, name="w").name,
            tf.Variable(1.0, name="w").name,
        ],
        "variable_is_trainable": lambda tf, np: [
            tf.Variable(1.0).trainable,
            tf.Variable(1.0, trainable=False).trainable,
        ],
        "variable_text": lambda tf, np: repr(tf.Variable([1.0, 2.0], name="w")),
        "variable_plus_one": lambda tf, np: tf.Variable([1.0, 2.0]) + 1,
        "variable_equals_itself": lambda tf, np: (lambda v: v == v)(tf.Variable([1.0, 2.0])),
        "variable_is_not_hashable": lambda tf, np: hash(tf.Variable(1.0)),
        "variable_read_value": lambda tf, np: tf.Variable(2.0).read_value(),
        "variable_slice": lambda tf, np: tf.Variable([1.0, 2.0, 3.0])[1:],
        "assign": lambda tf, np: tf.Variable([1.0, 2.0]).assign([3.0, 4.0]),
        "assign_an_int_list": lambda tf, np: tf.Variable([1.0, 2.0]).assign([3, 4]),
        "assign_another_shape": lambda tf, np: tf.Variable([1.0, 2.0]).assign([1.0]),
        "assign_a_float64_array": lambda tf, np: tf.Variable([1.0, 2.0]).assign(
            np.array([1.0, 2.0])
        ),
        "assign_a_float64_tensor": lambda tf, np: tf.Variable([1.0]).assign(
            tf.constant([1.0], tf.float64)
        ),
        "assign_an_int_tensor": lambda tf, np: tf.Variable([1.0]).assign(tf.constant([1])),
        "assign_add": lambda tf, np: tf.Variable(1.0).assign_add(2.0),
        "assign_sub": lambda tf, np: tf.Variable(1.0).assign_sub(2.0),
        "assign_add_of_none": lambda tf, np: tf.Variable(1.0).assign_add(None),
    }
)


def an_assigned_element(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    v[0].assign(9.0)
    return v


def an_assigned_slice(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0, 3.0])
    v[1:].assign([8.0, 9.0])
    return v


def a_snapshot_keeps_its_numbers(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    before = v.read_value()
    v.assign([5.0, 6.0])
    return before, v


def an_array_changed_later_does_not_change_the_tensor(tf: Any, np: Any) -> Any:
    array = np.array([1.0, 2.0])
    x, v = tf.constant(array), tf.Variable(array)
    array[0] = 100.0
    return x, v


def in_place_addition_makes_a_tensor(tf: Any, np: Any) -> Any:
    x = tf.constant(1.0)
    x += 1
    return x


def an_array_added_in_place_becomes_a_tensor(tf: Any, np: Any) -> Any:
    array = np.array([1.0, 2.0], np.float32)
    array += tf.constant([1.0, 1.0])
    return array


def in_place_addition_to_a_variable(tf: Any, np: Any) -> Any:
    v = tf.Variable(1.0)
    v += 1.0
    return v


def nest_flatten(tf: Any, np: Any) -> Any:
    return tf.nest.flatten({"b": 1, "a": 2, "c": {"z": None, "y": (3, [4])}})


def nest_flatten_of_keys_without_order(tf: Any, np: Any) -> Any:
    return tf.nest.flatten({1: 1, "a": 2})


def nest_pack_of_too_few(tf: Any, np: Any) -> Any:
    return tf.nest.pack_sequence_as([1, 2], [1])


def nest_pack(tf: Any, np: Any) -> Any:
    return tf.nest.pack_sequence_as({"b": 0, "a": [0, (0,)]}, [1, 2, 3])


def nest_map_structure(tf: Any, np: Any) -> Any:
    return tf.nest.map_structure(lambda a, b: a + b, {"x": [1, 2]}, {"x": [10, 20]})


def nest_map_structure_of_different_lengths(tf: Any, np: Any) -> Any:
    return tf.nest.map_structure(lambda a, b: a + b, [1, 2], [1, 2, 3])


def a_sum_of_an_int_tensor_and_a_float(tf: Any, np: Any) -> Any:
    return tf.constant([1, 2]) + 1.5


def a_product_of_an_int_tensor_and_a_float(tf: Any, np: Any) -> Any:
    return tf.constant([1, 2]) * 1.5


def a_comparison_of_an_int_tensor_and_a_float(tf: Any, np: Any) -> Any:
    return tf.constant([1, 2]) > 1.5


def a_float_minus_an_int_tensor(tf: Any, np: Any) -> Any:
    return 1.5 - tf.constant([1, 2])


def a_quotient_of_an_int_tensor_and_a_float(tf: Any, np: Any) -> Any:
    return tf.constant([1, 2]) / 1.5


def a_product_of_a_tensor_and_a_string(tf: Any, np: Any) -> Any:
    return tf.constant([1.0, 2.0]) * "a"


@differs("TensorFlow cuts the decimals off without a word", warns=("UserWarning",))
def a_float_array_beside_an_int_tensor(tf: Any, np: Any) -> Any:
    return tf.constant([1, 2]) * np.array([1.5, 2.5])


@differs("TensorFlow cuts the decimals off without a word", warns=("UserWarning",))
def a_float_scalar_of_numpy_beside_an_int_tensor(tf: Any, np: Any) -> Any:
    return tf.constant(1) + np.float64(1.5), np.float64(2.5) * tf.constant([2])


def bools_beside_numbers(tf: Any, np: Any) -> Any:
    one, two = tf.constant(1.0), tf.constant([2])
    return one + True, True - one, two * True, one == True, two + np.True_  # noqa: E712  # what is tested


def comparing_shapes_that_do_not_broadcast(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    return x == tf.ones([3]), x != tf.ones([3]), x == [1, 2, 3], tf.Variable(x) != [1, 2, 3]


def comparing_by_function_wants_shapes_that_broadcast(tf: Any, np: Any) -> Any:
    return tf.equal(tf.ones([2]), tf.ones([3]))


def comparing_with_another_dtype(tf: Any, np: Any) -> Any:
    return tf.constant(1) == tf.constant(1, tf.int64)


def a_decimal_beside_an_int_in_a_function(tf: Any, np: Any) -> Any:
    return tf.maximum(1, 2.5)


def dividing_ints_without_nan(tf: Any, np: Any) -> Any:
    halves = [tf.constant([1, 2], dtype) for dtype in (tf.int32, tf.int64, tf.int8, tf.uint16)]
    return tf.math.divide_no_nan(1, 2), [tf.math.divide_no_nan(n, n - n[0]) for n in halves]


def assigning_counts_as_using_a_variable(tf: Any, np: Any) -> Any:
    v = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        v.assign_add(2.0)
    return len(tape.watched_variables())


def assign_add_of_another_shape(tf: Any, np: Any) -> Any:
    return tf.Variable([1.0, 2.0]).assign_add(1.0)
