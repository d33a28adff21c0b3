"""Numbers beyond what their own dtype holds: as constants, beside a tensor, in a cast."""

from typing import Any

from programs.case import differs, table

NO_UINT64 = "TensorFlow lets its SystemError out, for a list or a constant, or wraps in silence"

WRAPS = "TensorFlow keeps the lowest bits, and says nothing; here a warning names the line"
BOUNDS = {
    "int8": (-(2**7), 2**7),
    "uint8": (0, 2**8),
    "int16": (-(2**15), 2**15),
    "int32": (-(2**31), 2**31),
    "uint32": (0, 2**32),
}


def _if_it_wraps(program: Any, value: Any, dtype: str) -> Any:
    """As a case that warns, if an int64 holds the numbers and their dtype does not."""
    numbers = value if isinstance(value, list) else [value]
    low, high = BOUNDS.get(dtype, (-(2**63), 2**63))
    is_wide = not all(-(2**63) <= number < 2**63 for number in numbers)
    fits = all(low <= number < high for number in numbers)
    if is_wide or fits:
        return program
    return differs(WRAPS, warns=("UserWarning",))(program)


def _constant(value: Any, dtype: str | None = None) -> Any:
    return lambda tf, np: tf.constant(value, dtype)


def _beside(value: Any, dtype: str) -> Any:
    return lambda tf, np: tf.constant([1, 2], dtype) + value


def _cast(value: Any, dtype: str) -> Any:
    return lambda tf, np: tf.cast(value, dtype)


def gradient_beside_a_wide_int(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * 2**70
    return y, tape.gradient(y, x)


def variable_of_a_wide_int(tf: Any, np: Any) -> Any:
    return tf.Variable(2**70, dtype=tf.float32).numpy()


TABLE = table(
    {
        **{
            f"constant_{name}_{dtype}": _constant(value, dtype)
            for dtype in ("float16", "float32", "float64", "complex64", "complex128")
            for name, value in {
                "2_to_70": 2**70,
                "2_to_200": 2**200,
                "2_to_2000": 2**2000,
                "list": [1, 2**70],
                "list_from_it": [2**63, 1],
            }.items()
        },
        **{
            f"constant_{name}_{dtype}": _if_it_wraps(_constant(value, dtype), value, dtype)
            for dtype in ("int8", "uint8", "int16", "int32", "uint32", "int64")
            for name, value in {
                "minus_1": -1,
                "300": 300,
                "2_to_31": 2**31,
                "2_to_62_plus_5": 2**62 + 5,
                "2_to_63": 2**63,
                "2_to_70": 2**70,
                "list": [2**40 + 7, -3],
                "wide_list": [1, 2**63],
            }.items()
        },
        **{
            f"constant_{name}": _constant(value)
            for name, value in {
                "2_to_31": 2**31,
                "2_to_63": 2**63,
                "2_to_70": 2**70,
                "below_int64": -(2**63) - 1,
                "list_of_2_to_31": [2**31],
                "list_of_2_to_63": [1, 2**63],
                "list_to_float": [1.0, 2**70],
                "list_from_int": [2**70, 1.0],
                "1e300": 1e300,
                "list_of_1e300": [1e300],
                "list_of_inf": [1.0, float("inf")],
            }.items()
        },
        "constant_2_to_63_uint64": _constant(2**63, "uint64"),
        "constant_list_uint64": _constant([2**64 - 1, 0], "uint64"),
        "constant_2_to_64_uint64": differs(NO_UINT64, raises="ValueError")(
            _constant(2**64, "uint64")
        ),
        "constant_minus_1_uint64": differs(NO_UINT64, raises="ValueError")(_constant(-1, "uint64")),
        "constant_decimals_uint64": _constant([2**63, 1.5], "uint64"),
        "constant_decimals_int32": _constant([2**31, 1.5], "int32"),
        "constant_2_to_70_bool": _constant(2**70, "bool"),
        "constant_2_to_70_string": _constant(2**70, "string"),
        "constant_1e300_float64": _constant(1e300, "float64"),
        "constant_1e300_float32": _constant(1e300, "float32"),
        "constant_1e300_float16": _constant(1e300, "float16"),
        "constant_list_of_1e300_float64": _constant([1e300, 1.0], "float64"),
        "constant_list_of_1e300_float32": _constant([1e300, 1.0], "float32"),
        **{
            f"beside_{dtype}_{name}": _beside(value, dtype)
            for dtype in ("float16", "float32", "float64")
            for name, value in {
                "2_to_31": 2**31,
                "2_to_63": 2**63,
                "minus_2_to_70": -(2**70),
                "wide_list": [2**70, 1],
            }.items()
        },
        **{
            f"beside_{dtype}_{name}": _if_it_wraps(_beside(value, dtype), value, dtype)
            for dtype in ("int32", "uint8", "int64")
            for name, value in {
                "2_to_31": 2**31,
                "2_to_63": 2**63,
                "2_to_70": 2**70,
                "minus_2_to_70": -(2**70),
                "list": [2**40 + 7, 1],
                "wide_list": [2**70, 1],
            }.items()
        },
        "beside_uint64": _beside(2**64 - 1, "uint64"),
        "beside_uint64_minus_1": differs(NO_UINT64, raises="ValueError")(_beside(-1, "uint64")),
        "beside_float64_1e300": _beside(1e300, "float64"),
        "beside_float64_list_of_1e300": _beside([1e300, 1.0], "float64"),
        "equal_to_2_to_70": lambda tf, np: tf.constant([1.0]) == 2**70,
        "int_equal_to_2_to_70": lambda tf, np: tf.constant([1]) == 2**70,
        "cast_2_to_70": _cast(2**70, "float32"),
        "cast_2_to_63": _cast(2**63, "float32"),
        "cast_2_to_31": _cast(2**31, "int32"),
        "cast_300": _cast(300, "uint8"),
        "cast_minus_1": _cast(-1, "uint8"),
        "cast_1e300": _cast(1e300, "float64"),
        "hinted_2_to_70": lambda tf, np: tf.convert_to_tensor(2**70, dtype_hint=tf.float32),
        "converted_2_to_70": lambda tf, np: tf.convert_to_tensor(2**70, tf.float64),
        "fill_2_to_70": lambda tf, np: tf.fill([2], 2**70),
    }
)
