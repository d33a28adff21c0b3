"""Array methods as TensorFlow functions: the advised function has the same value as the NumPy method, and its gradient exists."""

import ast
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.explain.causes.wording.array_methods import (
    calls_array_method,
    in_statement,
    uses_as_array,
)
from minitape.source_text import tree_of

_X = tf.Variable([[1.0, -2.0, 3.0], [0.5, 4.0, 0.25]])


@pytest.mark.parametrize(
    "method",
    [
        "mean()", "mean(axis=1)", "mean(1)", "mean(axis=0, keepdims=True)", "sum()", "sum(axis=-1)", "max()", "min(axis=0)",
        "prod(axis=1)", "std()", "std(axis=1)", "var(axis=0)", "reshape(3, 2)", "reshape((3, 2))", "reshape([-1, 2])",
        "reshape(-1)", "flatten()", "ravel()", "T", "transpose()", "transpose(1, 0)", "transpose((1, 0))", "clip(0.0, 2.0)",
        "cumsum(axis=1)", "repeat(2, axis=0)", "astype('float32')", "astype(np.float64)", "copy()", "tolist()",
        "take([0, 3])", "take([2, 0], axis=1)", "take([1], 0)",
        "mean(axis=1).max()", "T.reshape(-1)", "dot(np.ones([3, 2], np.float32))",
    ],
)  # fmt: skip
def test_array_method_equals_suggested_function(method: str) -> None:
    names: dict[str, Any] = {"x": _X, "np": np, "tf": tf}
    statement = f"y = x.numpy().{method}"
    better = in_statement(statement, "x.numpy()")
    assert better is not None and ".numpy()" not in better
    exec(statement, names)
    expected = np.asarray(names["y"], np.float32)
    with tf.GradientTape() as tape:
        exec(better, names)
    np.testing.assert_allclose(names["y"].numpy(), expected, rtol=1e-5)
    gradient = tape.gradient(names["y"], _X)
    assert gradient is not None and np.isfinite(tf.convert_to_tensor(gradient).numpy()).all()


@pytest.mark.parametrize(
    "method", ["argmax()", "any()", "sum(axis=0, where=m)", "mean(dtype='f8')"]
)
def test_method_without_such_a_function_is_not_rewritten(method: str) -> None:
    statement = f"y = x.numpy().{method}"
    assert calls_array_method(statement, "x.numpy()")
    assert in_statement(statement, "x.numpy()") is None


def test_attribute_of_both_arrays_and_tensors_is_kept() -> None:
    assert not calls_array_method("n = x.numpy().shape[0]", "x.numpy()")


def test_method_of_arithmetic_with_an_array_is_rewritten() -> None:
    statement = "loss = tf.constant((x.numpy() ** 2 - 1.0).mean())"
    assert calls_array_method(statement, "x.numpy()")
    assert in_statement(statement, "x.numpy()") == "loss = tf.reduce_mean(x ** 2 - 1.0)"


def test_arithmetic_without_a_method_is_kept() -> None:
    assert not calls_array_method("y = x.numpy() ** 2 - 1.0", "x.numpy()")


def test_later_method_of_arithmetic_is_found_and_a_shown_value_is_not() -> None:
    program = "a = x.numpy()\nb = ((a - y) ** 2).mean()\nprint(a, float(a), a.shape)"
    found = uses_as_array(tree_of(program), 1, "a")
    assert [(ast.unparse(old), ast.unparse(new)) for old, new in found] == [
        ("((a - y) ** 2).mean()", "tf.reduce_mean((a - y) ** 2)")
    ]


def test_later_uses_are_found_only_in_the_same_function() -> None:
    program = """
def first(x):
    a = x.numpy()
    b = np.sqrt(a).sum() + a.mean()
    return b

def second(a):
    return a.mean()
"""
    found = uses_as_array(tree_of(program), 3, "a")
    assert [(ast.unparse(old), ast.unparse(new)) for old, new in found] == [
        ("np.sqrt(a).sum()", "tf.reduce_sum(tf.sqrt(a))"),
        ("a.mean()", "tf.reduce_mean(a)"),
    ]


def test_an_element_of_each_row_is_gathered() -> None:
    """A tensor has no such subscript: `q[np.arange(2), picked]` raises in TensorFlow."""
    statement = "y = x.numpy()[np.arange(2), picked]"
    assert calls_array_method(statement, "x.numpy()")
    better = in_statement(statement, "x.numpy()")
    assert better == "y = tf.gather(x, picked, batch_dims=1)"
    names: dict[str, Any] = {"x": _X, "tf": tf, "picked": np.array([2, 1])}
    exec(better, names)
    assert names["y"].numpy().tolist() == [3.0, 4.0]
