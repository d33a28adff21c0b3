"""Tensors: immutable, with ids that are never reused, and honest about leaving the tape."""

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


def test_an_id_is_never_given_twice() -> None:
    """`id(x)` would be: a dead tensor's address goes to the next one, and a tape mixed them up."""
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
def test_an_operator_does_what_its_op_does(
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
            )  # its text names what the caller wrote, which differs here
        else:
            outcomes.append(
                [
                    y.dtype,
                    *(each if each is None else each.numpy().tolist() for each in (y, *found)),
                ]
            )
    assert outcomes[0] == outcomes[1]


def test_numpy_leaves_the_operator_to_the_tensor() -> None:
    """`array * tensor` stays on the tape; NumPy would have taken the tensor for an array."""
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = np.array([10.0, 100.0], np.float32) * x
    assert isinstance(y, tf.Tensor)
    np.testing.assert_array_equal(tape.gradient(y, x), [10.0, 100.0])


def test_an_equal_sign_compares_elements_so_a_tensor_is_no_key() -> None:
    x = tf.constant(1.0)
    with pytest.raises(TypeError, match=r"x\.ref\(\)"):
        hash(x)
    assert {x.ref(): "found"}[x.ref()] == "found"
    assert x.ref().deref() is x
    assert (x == None) is False  # noqa: E711  # asked of the operator
    assert (x != None) is True  # noqa: E711


@pytest.mark.parametrize(
    ("name", "instead"),
    [("mean", "tf.reduce_mean(x)"), ("T", "tf.transpose(x)"), ("item", "float(x)")],
)
def test_numpy_methods_name_the_op_to_write_instead(name: str, instead: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(tf.constant([1.0]), name)
    assert f"try : {instead}" in str(caught.value)


def test_an_unknown_attribute_is_an_ordinary_error() -> None:
    """`hasattr` and `copy` ask for names that no tensor has, and must be told so."""
    assert not hasattr(tf.constant(1.0), "no_such_thing")


def test_elements_cannot_be_assigned_and_the_message_shows_two_ways_out() -> None:
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
def test_python_asks_in_vain_and_hears_what_to_write(
    ask: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        ask(tf.constant([1.0, 2.0]))


def test_copies_are_the_tensor_itself_and_pickling_makes_a_new_one() -> None:
    """A tensor cannot change, so a copy would only lose its place on the tape."""
    x = tf.constant([1.0, 2.0])
    assert copy.copy(x) is x
    assert copy.deepcopy(x) is x
    loaded = pickle.loads(pickle.dumps(x))
    np.testing.assert_array_equal(loaded, x)
    assert loaded._id != x._id


class Listener:
    """Hears which values leave the engine, and by which door."""

    def __init__(self) -> None:
        self.doors: list[str] = []

    def emit(self, event: Any) -> None:
        """Nothing but leaving is of interest here."""

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
def test_each_exit_to_numpy_and_python_is_heard(leave: Any, exit_path: str) -> None:
    x, engine_tracer = tf.constant([1.0, 2.0]), Listener()
    quiet = leave(x)
    with listeners.listen(engine_tracer):
        received = leave(x)
    assert exit_path in engine_tracer.doors
    assert type(received) is type(quiet)
    np.testing.assert_array_equal(received, quiet)
