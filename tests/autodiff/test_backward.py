"""The backward pass: order, which rules run, and when memory is freed."""

import gc
import sys
import tracemalloc
import weakref
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.core.recorders import Record
from minitape.core.values import ShapeDtype


def _chain(length: int, **options: Any) -> Any:
    x = tf.constant(1.0)
    with tf.GradientTape(**options) as tape:
        tape.watch(x)
        y = x
        for _ in range(length):
            y = y + 1.0
    return tape, y, x


@pytest.mark.one_in(3)
def test_long_tape_needs_no_recursion() -> None:
    """200 000 ops, and hardly any Python stack: a recursion would need a frame for each."""
    tape, y, x = _chain(200_000)
    limit = sys.getrecursionlimit()
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(depth + 60)
    try:
        assert tape.gradient(y, x).numpy() == 1.0
    finally:
        sys.setrecursionlimit(limit)


def test_non_persistent_tape_frees_its_records() -> None:
    tape, y, x = _chain(10)
    assert tape._tape is not None
    records = tape._tape.records
    tape.gradient(y, x)
    assert records == []
    assert tape._tape is None


def test_memory_is_freed_during_the_backward_pass() -> None:
    """Each of the 100 ops saves 80 kB, and the backward pass needs no second 8 MB."""
    x = tf.constant(np.ones(10_000))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(100):
            y = tf.sin(y)
    tracemalloc.start()
    try:
        tape.gradient(y, x)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20 * 80_000


def test_persistent_tape_keeps_its_records() -> None:
    tape, y, x = _chain(10, persistent=True)
    assert tape.gradient(y, x).numpy() == tape.gradient(y, x).numpy() == 1.0
    assert tape._tape is not None
    assert len(tape._tape.records) == 10


def test_unneeded_cotangent_is_not_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The data `x` of `x @ w` is a constant: its cotangent would cost as much as the one of w."""
    from minitape.core.registry import PRIMITIVES

    matmul, requested = PRIMITIVES["MatMul"], []

    def counted(position: int, rule: Any) -> Any:
        def call(*values: Any, **settings: Any) -> Any:
            requested.append(position)
            return rule(*values, **settings)

        return call

    rules = tuple(counted(position, rule) for position, rule in enumerate(matmul.rules))
    monkeypatch.setattr(matmul, "rules", rules)
    x, w = tf.ones((4, 3)), tf.Variable(tf.ones((3, 2)))
    with tf.GradientTape() as tape:
        y = x @ w
    tape.gradient(y, w)
    assert requested == [1]


def test_op_off_the_path_is_not_visited() -> None:
    """An op that the target does not depend on need not be differentiable."""
    x = tf.constant([1.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        tf.unique(x)  # has no gradient registered: a visit would raise LookupError
        y = x * 3.0
    np.testing.assert_array_equal(tape.gradient(y, x), [3.0, 3.0])


def test_error_names_op_without_registered_gradient() -> None:
    x = tf.constant([1.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.unique(x)[0]
    with pytest.raises(LookupError, match="gradient registry has no entry for: Unique"):
        tape.gradient(y, x)


def test_cotangents_of_value_used_often_are_summed() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 10.0 + x * 100.0 + x * 1000.0
    assert tape.gradient(y, x).numpy() == 1110.0


def test_sum_in_place_does_not_change_shared_arrays() -> None:
    """From the second cotangent on, the backward pass adds into its own buffer: never into the seed."""
    x, seed = tf.constant([1.0, 2.0]), np.ones(2, np.float32)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x + x + x
    given = tf.constant(seed)
    first = tape.gradient([y, y], x, output_gradients=[given, given])
    second = tape.gradient([y, y], x, output_gradients=[given, given])
    np.testing.assert_array_equal(first, [6.0, 6.0])
    np.testing.assert_array_equal(second, [6.0, 6.0])
    np.testing.assert_array_equal(given, [1.0, 1.0])


def test_gradients_of_two_sources_share_no_buffer() -> None:
    """`a + b` passes both the same array as cotangent; sums for one must not change the other."""
    a, b = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = a * 10.0 + a * 20.0 + (a + b)
    by_a, by_b = tape.gradient(y, [a, b])
    np.testing.assert_array_equal(by_a, [31.0, 31.0])
    np.testing.assert_array_equal(by_b, [1.0, 1.0])


def test_tape_keeps_only_residuals_alive() -> None:
    x = tf.constant(np.ones(4))
    with tf.GradientTape() as tape:
        tape.watch(x)
        shifted = x + 1.0  # no rule of an addition reads values
        y = tf.tanh(shifted)  # tanh reads its output
        z = y * 2.0
    dropped, saved = weakref.ref(shifted._array), weakref.ref(y._array)
    del shifted, y
    assert dropped() is None
    assert saved() is not None
    tape.gradient(z, x)
    assert saved() is None


def test_watched_tensor_may_be_deleted_before_gradient_call() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x + 2.0
    gone = weakref.ref(x)
    del x
    assert gone() is None
    assert tape.gradient(y, tf.constant(3.0)) is None


def test_unrecorded_backward_pass_runs_on_plain_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cotangent becomes a tensor only if another tape records the backward pass."""
    made = []
    init = tf.Tensor.__init__

    def counted(self: tf.Tensor, array: Any) -> None:
        made.append(array)
        init(self, array)

    tape, y, x = _chain(100)
    monkeypatch.setattr(tf.Tensor, "__init__", counted)
    tape.gradient(y, x)
    assert len(made) == 1  # the gradient itself


def test_record_is_small() -> None:
    """A tape of a million ops holds a million of these."""
    tape, _, _ = _chain(1)
    assert tape._tape is not None
    (record,) = tape._tape.records
    assert type(record) is Record
    assert not hasattr(record, "__dict__")


def _recorded(f: Any, x: Any) -> list[Record]:
    with tf.GradientTape() as tape:
        tape.watch(x)
        f(x)
    assert tape._tape is not None
    return tape._tape.records


def test_relu_saves_one_byte_for_each_element() -> None:
    (record,) = _recorded(tf.nn.relu, tf.constant([-1.0, 0.0, 2.0]))
    np.testing.assert_array_equal(record.result, [False, False, True])
    assert record.result.itemsize == 1


def test_relu_that_saves_only_a_mask_has_second_derivative() -> None:
    """relu(x)³: 6x where x is above 0. The zeros of relu's own second derivative are included, and not None."""
    x = tf.constant([-1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.nn.relu(x)
            cube = y * y * y
        derivative = inner.gradient(cube, x)
    np.testing.assert_array_equal(outer.gradient(derivative, x), [0.0, 12.0])


def test_recorded_backward_pass_reuses_original_tensor_ids() -> None:
    """Records keep arrays; a rule that an outer tape records must receive the tensors that this tape watches."""
    x = tf.constant(3.0)
    (record,) = _recorded(tf.exp, x)
    y, (outline,) = record.as_tensors()
    assert (type(y), y._id) == (tf.Tensor, record.outputs[0])
    np.testing.assert_array_equal(y, np.exp(np.float32(3.0)))
    assert type(outline) is ShapeDtype


def test_garbage_collector_tracks_few_objects_of_a_long_tape() -> None:
    """An array is not tracked: of a product of tensors, only its record is a tracked object."""
    (record,) = _recorded(lambda x: x * x, tf.constant(3.0))
    gc.collect()  # tuples of arrays and numbers are untracked after the first collection
    held = [getattr(record, name) for name in Record.__slots__ if name not in _SHARED]
    assert [each for each in held if gc.is_tracked(each)] == []


# By all records of an op, or of a shape.
_SHARED = ("primitive", "result")
