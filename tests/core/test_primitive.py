"""Primitive: the one function that runs ops."""

from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.core.batched import Batched
from minitape.core.declaration import no_gradient
from minitape.core.primitive import Primitive
from minitape.core.registry import PRIMITIVES
from minitape.core.values import ShapeDtype
from minitape.errors import LoopWarning


def test_arrays_return_arrays_and_tensors_return_tensors() -> None:
    """On plain arrays nothing is wrapped and nothing recorded: the backward pass runs this way."""
    add = PRIMITIVES["AddV2"]
    array = np.array([1.0, 2.0], np.float32)
    with tf.GradientTape() as tape:
        assert type(add(array, array)) is np.ndarray
        assert type(add(np.float32(1.0), np.float32(2.0))) is np.float32
        assert type(add(tf.constant(array), array)) is tf.Tensor
    assert tape._tape is not None
    assert tape._tape.records == []


def test_stack_returns_a_stack() -> None:
    answer = PRIMITIVES["Mul"](Batched(np.array([[1.0, 2.0], [3.0, 4.0]])), np.array([10.0, 100.0]))
    assert type(answer) is Batched
    assert answer.shape == (2,)
    np.testing.assert_array_equal(answer.stack, [[10.0, 200.0], [30.0, 400.0]])


def _records(program: Any, *sources: Any) -> list[Any]:
    with tf.GradientTape() as tape:
        tape.watch(sources)
        program(*sources)
    assert tape._tape is not None
    return tape._tape.records


def test_record_saves_only_residuals() -> None:
    x = tf.constant([1.0, 2.0])
    (add,) = _records(lambda x: x + 5.0, x)
    (multiply,) = _records(lambda x: x * 5.0, x)
    (exp,) = _records(lambda x: tf.exp(x), x)
    assert all(type(each) is ShapeDtype for each in (*add.saved, add.result))
    assert type(multiply.saved[0]) is ShapeDtype  # x̄ = ȳ·5 reads 5 and not x
    assert type(multiply.saved[1]) is not ShapeDtype
    assert type(exp.saved[0]) is ShapeDtype  # exp is its own derivative
    np.testing.assert_array_equal(exp.result, np.exp([1.0, 2.0], dtype=np.float32))


def test_op_on_unwatched_tensor_is_not_recorded() -> None:
    x, other = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        _ = other * other
    assert tape._tape is not None
    assert tape._tape.records == []


def test_op_without_gradient_ends_the_path() -> None:
    assert _records(lambda x: tf.floor(x), tf.constant(1.5)) == []


@pytest.mark.parametrize(
    ("end", "restarts_at_output"), [(tf.floor, True), (tf.stop_gradient, False)]
)
def test_path_may_restart_at_output_of_op_without_gradient(
    end: Any, restarts_at_output: bool
) -> None:
    """The result of floor can be watched like any other value; stop_gradient prevents this."""
    x = tf.constant(1.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        middle = end(x)
        y = middle * 3.0
    by_middle, by_x = tape.gradient(y, [middle, x])
    assert (by_middle is not None, by_x) == (restarts_at_output, None)


@pytest.mark.parametrize("error", [TypeError, tf.errors.InvalidArgumentError])
def test_mismatched_dtypes_raise_both_tensorflow_classes(
    error: type[Exception],
) -> None:
    with pytest.raises(error, match="int32"):
        tf.constant(1) * 1.5


def test_operand_is_converted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """`x * 2.0` is the most frequent op of all, so its code path must stay short."""
    from minitape.core import convert

    requested: list[Any] = []
    beside = convert.beside

    def counted(value: Any, dtype: Any) -> Any:
        requested.append(value)
        return beside(value, dtype)

    monkeypatch.setattr(convert, "beside", counted)
    assert float(tf.constant(1.5) * 2.0) == 3.0
    assert requested == [2.0]


def test_tapes_share_one_record() -> None:
    x = tf.constant(1.0)
    with tf.GradientTape() as a, tf.GradientTape() as b:
        a.watch(x)
        b.watch(x)
        _ = x * x
    assert a._tape is not None
    assert b._tape is not None
    assert a._tape.records[0] is b._tape.records[0]


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda: tf.constant(1.0) + tf.constant(1), r"tf\.cast\(tf\.constant\(1\), tf\.float32"),
        (lambda: tf.constant(1) + 1.5, "decimal point"),
        (lambda: tf.sqrt(tf.constant(4)), r"tf\.cast\(tf\.constant\(4\), tf\.float32\)"),
        (lambda: tf.ones(2) + tf.ones(3), "axis 0 has size 2 in tf.ones"),
        (lambda: tf.ones((2, 3)) @ tf.ones((2, 3)), r"x\.shape|transpose"),
    ],
)
def test_error_of_op_names_the_fix(program: Any, words: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=words) as caught:
        program()
    assert "try : " in str(caught.value)


def test_registry_has_tensorflow_names() -> None:
    assert {"AddV2", "Mul", "MatMul", "ReadVariableOp", "StridedSlice"} <= PRIMITIVES.keys()
    assert all(primitive.name == name for name, primitive in PRIMITIVES.items())


def test_op_without_gradient_states_its_reason() -> None:
    primitive = Primitive("OnlyInThisTest", np.floor, vjp=no_gradient("flat"))
    try:
        assert (primitive.gradient, primitive.reason, primitive.rule) == ("none", "flat", "flat")
        assert repr(primitive) == "<primitive OnlyInThisTest>"
    finally:
        del PRIMITIVES["OnlyInThisTest"]


@pytest.mark.parametrize("size", [3, 0])
def test_op_without_batching_rule_loops_and_warns(size: int) -> None:
    primitive = Primitive("OnlyHere", np.cumsum, vjp=no_gradient("for a test"), listed=False)
    rows = np.arange(2.0 * size).reshape(size, 2)
    with pytest.warns(LoopWarning, match="`OnlyHere` has no batch rule"):
        together = primitive(Batched(rows))
    np.testing.assert_array_equal(together.stack, np.cumsum(rows, axis=1))


@pytest.mark.parametrize("exit_to", [bool, np.sum, np.asarray, float])
def test_batched_value_cannot_be_converted_to_python_or_numpy(exit_to: Any) -> None:
    with pytest.raises(TypeError):
        exit_to(Batched(np.array([1.0, 2.0])))
