"""tf.bfloat16: its package is loaded only when needed, and ops compute it in float32."""

import subprocess
import sys

import numpy as np
import pytest

import minitape as tf
from minitape.core.dtypes import kind_of, limits_of

WITHOUT = """
import sys
sys.modules["ml_dtypes"] = None  # as if it were not installed
import minitape as tf
tf.constant(1.0) + 1.0
"""

REFUSED = """
try:
    {program}
except {error} as error:
    print(error)
"""


def printed(program: str) -> str:
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return found.stdout.strip()


@pytest.mark.parametrize(
    "program, error",
    [
        ("tf.bfloat16", "AttributeError"),
        ("tf.dtypes.bfloat16", "AttributeError"),
        ("tf.compat.v1.bfloat16", "AttributeError"),
        ("tf.compat.v2.bfloat16", "AttributeError"),
        ("from minitape import bfloat16", "ImportError"),
        ("from minitape.dtypes import bfloat16", "ImportError"),
        ('tf.as_dtype("bfloat16")', "ImportError"),
        ('tf.zeros([2], "bfloat16")', "ImportError"),
        ('tf.keras.backend.set_floatx("bfloat16")', "ImportError"),
    ],
)
def test_missing_package_error_says_what_to_install(program: str, error: str) -> None:
    said = printed(WITHOUT + REFUSED.format(program=program, error=error))
    assert "`tf.bfloat16` requires the package `ml_dtypes`" in said
    assert "try : run `pip install ml_dtypes`" in said


@pytest.mark.parametrize(
    "program, expected",
    [
        ("print(hasattr(tf, 'bfloat16'), getattr(tf.dtypes, 'bfloat16', None))", "False None"),
        ("from minitape.dtypes import *; sys.stdout.write(str(float32 is tf.float32))", "True"),
        ("from minitape.compat.v1 import *; sys.stdout.write(str(float32 is tf.float32))", "True"),
        ("from minitape.compat.v2 import *; sys.stdout.write(str(float32 is tf.float32))", "True"),
        ("import inspect; print('float32' in dict(inspect.getmembers(tf.dtypes)))", "True"),
        ("from minitape import catalog; print(catalog.find('tf.matmul').name)", "MatMul"),
    ],
)
def test_other_dtypes_can_be_listed_without_the_package(program: str, expected: str) -> None:
    assert printed(WITHOUT + program) == expected


def test_trace_with_bfloat16_can_be_read_without_the_package() -> None:
    """TensorFlow always has bfloat16, but the machine that reads its trace may not have the package."""
    program = (
        "from minitape.replay.numbers import array_of; from minitape.trace.events import Numbers;"
        "print(array_of(Numbers(1, 'x', [1], 'bfloat16', 1, 0, 1, 0.5, 0.5, 1.0, 0, 0, 0, [0.5])).name)"
    )
    assert printed(WITHOUT + program) == "TEXT"


def test_bfloat16_is_the_same_under_each_of_its_names() -> None:
    assert tf.dtypes.bfloat16 is tf.bfloat16
    assert tf.compat.v1.bfloat16 is tf.bfloat16
    assert tf.compat.v2.bfloat16 is tf.bfloat16


def test_catalog_does_not_load_the_package() -> None:
    program = (
        "import sys; from minitape import catalog; catalog.ops(); print('ml_dtypes' in sys.modules)"
    )
    assert printed(program) == "False"


def test_program_without_bfloat16_does_not_load_the_package() -> None:
    program = "import sys, minitape as tf; tf.keras; tf.exp(1.0); print('ml_dtypes' in sys.modules)"
    assert printed(program) == "False"


def test_bfloat16_arrays_are_accepted_before_first_use_of_dtype() -> None:
    program = (
        "import ml_dtypes, numpy as np, minitape as tf;"
        "print(tf.constant(np.array([1.5], ml_dtypes.bfloat16)) * 2.0)"
    )
    assert printed(program) == "tf.Tensor([3], shape=(1,), dtype=bfloat16)"


def test_bfloat16_counts_as_float() -> None:
    dtype = tf.bfloat16.numpy
    assert (dtype.kind, kind_of(dtype), float(limits_of(dtype).eps)) == ("V", "f", 2.0**-7)


def test_sum_is_accumulated_in_float32() -> None:
    """Added one by one in bfloat16, the sum would stop at 256: bfloat16 has no 257."""
    assert float(tf.reduce_sum(tf.ones([1000], tf.bfloat16))) == 1000.0


def test_backward_pass_rounds_each_rule_once() -> None:
    """1 - y² for y = tanh(x): one rounding, as a float32 backward pass would be rounded."""
    x = tf.constant([0.3, 1.1], tf.bfloat16)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.tanh(x)
    derivative = tape.gradient(y, x)
    exact = 1.0 - tf.cast(y, tf.float32) ** 2
    assert derivative.dtype == tf.bfloat16
    np.testing.assert_array_equal(derivative, tf.cast(exact, tf.bfloat16))


def test_op_that_is_loaded_later_supports_bfloat16() -> None:
    """Modules of ops are loaded on first use: ops that they then declare support it too."""
    program = (
        "import minitape as tf; x = tf.constant([1.0, 2.0], tf.bfloat16);"
        "print(tf.signal.frame(x, 1, 1).dtype, tf.linalg.diag(x).dtype, tf.math.bessel_i0)"
    )
    assert printed(program).startswith("<dtype: 'bfloat16'> <dtype: 'bfloat16'>")
