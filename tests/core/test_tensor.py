"""Tensors: immutable, with ids that are never reused, and traced when they are converted to NumPy or Python."""

import copy
import gc
import pickle
from collections.abc import Callable
from operator import add, floordiv, mod, mul, sub, truediv
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.core import listeners
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import TensorLike


def test_id_is_never_reused() -> None:
    """`id(x)` would be reused: a new tensor can get the address of a deleted one, and a tape would confuse the two."""
    seen = set()
    for _ in range(1000):
        seen.add(tf.constant(0.0)._id)
        gc.collect(0)
    assert len(seen) == 1000


def test_operators_are_ops() -> None:
    x = tf.constant([6.0, 7.0])
    np.testing.assert_array_equal(x + 1, [7.0, 8.0])
    np.testing.assert_array_equal(1 - x, [-5.0, -6.0])
    np.testing.assert_array_equal(2 * x / 4, [3.0, 3.5])
    np.testing.assert_array_equal(x // 4, [1.0, 1.0])
    np.testing.assert_array_equal(x % 4, [2.0, 3.0])
    np.testing.assert_array_equal(-(x**2), [-36.0, -49.0])
    np.testing.assert_array_equal(x > 6.0, [False, True])
    np.testing.assert_array_equal((x >= 6.0) & ~(x == 7.0), [True, False])


@pytest.mark.parametrize(
    ("operator", "op"),
    [(add, "AddV2"), (sub, "Sub"), (mul, "Mul"), (truediv, "RealDiv"), (floordiv, "FloorDiv"), (mod, "FloorMod"), (pow, "Pow")],
)  # fmt: skip
@pytest.mark.parametrize("left", [2.0, 3, "tensor", "variable", "int variable", "float64"])
@pytest.mark.parametrize("right", [2.0, 3, "tensor", "variable", "int variable", "float64"])
def test_operator_equals_its_op(
    operator: Callable[[Any, Any], Any], op: str, left: Any, right: Any
) -> None:
    """The same result, record, gradient or exception, whichever operand is a tensor, a variable or a number."""
    values = {
        "tensor": tf.constant([6.0, 7.0]),
        "variable": tf.Variable([2.0, 3.0]),
        "int variable": tf.Variable([4, 5]),
        "float64": tf.constant([1.0, 2.0], tf.float64),
    }
    a, b = values.get(left, left), values.get(right, right)
    if not isinstance(a, TensorLike) and not isinstance(b, TensorLike):
        return
    watched = [each for each in (a, b) if isinstance(each, TensorLike)]
    outcomes = []
    for run in (operator, PRIMITIVES[op]):
        try:
            with tf.GradientTape() as tape:
                tape.watch(watched)
                y = run(a, b)
            found = tape.gradient(y, watched)
        except Exception as error:
            outcomes.append(
                [type(error)]
            )  # its message names what the caller wrote, which differs here
        else:
            outcomes.append(
                [
                    y.dtype,
                    *(each if each is None else each.numpy().tolist() for each in (y, *found)),
                ]
            )
    assert outcomes[0] == outcomes[1]


def test_numpy_array_defers_operator_to_tensor() -> None:
    """The tape records `array * tensor`; otherwise NumPy would convert the tensor to an array."""
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = np.array([10.0, 100.0], np.float32) * x
    assert isinstance(y, tf.Tensor)
    np.testing.assert_array_equal(tape.gradient(y, x), [10.0, 100.0])


def test_equality_is_elementwise_so_tensor_cannot_be_a_key() -> None:
    x = tf.constant(1.0)
    with pytest.raises(TypeError, match=r"x\.ref\(\)"):
        hash(x)
    assert {x.ref(): "found"}[x.ref()] == "found"
    assert x.ref().deref() is x
    assert (x == None) is False  # noqa: E711  # the operator is what is tested
    assert (x != None) is True  # noqa: E711


@pytest.mark.parametrize(
    ("name", "instead"),
    [("mean", "tf.reduce_mean(x)"), ("T", "tf.transpose(x)"), ("item", "float(x)")],
)
def test_error_for_numpy_method_names_the_op(name: str, instead: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(tf.constant([1.0]), name)
    assert f"try : use `{instead}`" in str(caught.value)


def test_unknown_attribute_raises_attribute_error() -> None:
    """`hasattr` and `copy` look up names that a tensor does not have, and expect this error."""
    assert not hasattr(tf.constant(1.0), "no_such_thing")


def test_error_for_assignment_to_element_suggests_two_fixes() -> None:
    x: Any = tf.constant([1.0, 2.0])
    with pytest.raises(TypeError, match=r"tf\.stack.*assign"):
        x[0] = 5.0


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda x: float(x), TypeError, r"tf\.reduce_mean"),
        (lambda x: bool(x), ValueError, r"tf\.reduce_any"),
        (lambda x: [0, 1][x], TypeError, r"tf\.cast"),
        (lambda x: len(x[0]), TypeError, "len"),
        (lambda x: list(x[0]), TypeError, "scalar"),
    ],
)
def test_error_for_unsupported_python_protocol_says_what_to_write(
    ask: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        ask(tf.constant([1.0, 2.0]))


def test_copy_is_same_tensor_and_unpickled_tensor_is_new() -> None:
    """A tensor cannot change, and a copy would not be known to the tape."""
    x = tf.constant([1.0, 2.0])
    assert copy.copy(x) is x
    assert copy.deepcopy(x) is x
    loaded = pickle.loads(pickle.dumps(x))
    np.testing.assert_array_equal(loaded, x)
    assert loaded._id != x._id


class Listener:
    """Records which values leave the engine, and by which exit."""

    def __init__(self) -> None:
        self.doors: list[str] = []

    def emit(self, event: Any) -> None:
        """Other events do not matter here."""

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        self.doors.append(via)
        return product


@pytest.mark.parametrize(
    ("leave", "exit_path"),
    [
        (lambda x: x.numpy(), "numpy"),
        (lambda x: float(x[0]), "float"),
        (lambda x: int(x[0]), "int"),
        (lambda x: bool(x[0]), "bool"),
        (lambda x: np.asarray(x), "__array__"),
        (lambda x: np.mean(x), "np.mean"),
        (lambda x: np.sin(x), "np.sin"),
        (lambda x: np.linalg.norm(x), "np.linalg.norm"),
    ],
)
def test_each_exit_to_numpy_and_python_is_traced(leave: Any, exit_path: str) -> None:
    x, engine_tracer = tf.constant([1.0, 2.0]), Listener()
    quiet = leave(x)
    with listeners.listen(engine_tracer):
        received = leave(x)
    assert exit_path in engine_tracer.doors
    assert type(received) is type(quiet)
    np.testing.assert_array_equal(received, quiet)
