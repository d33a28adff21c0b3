"""A program that trains for days must not grow: what a step made is gone with the step."""

import gc
import sys
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import minitape as tf

pytestmark = pytest.mark.whole

STEPS = 10_000
# Python itself keeps a few objects more from time to time; one object kept by each step would be 10 000.
A_FEW = 200

X = np.random.default_rng(0).normal(size=(64, 3)).astype(np.float32)
Y = np.sin(X.sum(axis=1, keepdims=True))
ROWS = np.arange(64) % 5


@contextmanager
def without_collector() -> Iterator[None]:
    """Nothing that refers to itself is freed in here: so what is freed was no cycle."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def blocks() -> int:
    """How many pieces of memory Python holds, without those that it keeps for its next tuples and floats."""
    gc.collect()
    return sys.getallocatedblocks()


def by_hand() -> Callable[[], Any]:
    """A step that moves each variable itself, rows of a table among them."""
    random = np.random.default_rng(1)
    kernel = tf.Variable(random.normal(size=(3, 4)).astype(np.float32))
    bias = tf.Variable(tf.zeros([4]))
    table = tf.Variable(random.normal(size=(5, 4)).astype(np.float32))

    def step() -> Any:
        with tf.GradientTape() as tape:
            hidden = tf.tanh(X @ kernel + bias) * tf.gather(table, ROWS)
            loss = tf.reduce_mean(tf.square(tf.reduce_sum(hidden, 1, keepdims=True) - Y))
        for variable, derivative in zip(
            [kernel, bias, table], tape.gradient(loss, [kernel, bias, table]), strict=True
        ):
            variable.assign_sub(0.05 * tf.convert_to_tensor(derivative))
        return loss

    return step


def with_layers() -> Callable[[], Any]:
    """A step as most programs have it: a model, a loss and an optimizer."""
    tf.keras.utils.set_random_seed(0)
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)]
    )
    mean_squared_error = tf.keras.losses.MeanSquaredError()
    optimizer = tf.keras.optimizers.Adam(0.01)

    def step() -> Any:
        with tf.GradientTape() as tape:
            loss = mean_squared_error(Y, model(X))
        weights = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return loss

    return step


def to_the_second_order() -> Callable[[], Any]:
    """Newton's step: two tapes, and a persistent one among them."""
    x = tf.Variable(tf.linspace(-0.5, 0.5, 16))

    def step() -> Any:
        with tf.GradientTape() as outer:
            with tf.GradientTape(persistent=True) as inner:
                loss = tf.reduce_sum(tf.cosh(x - 1.0))
            derivative = inner.gradient(loss, x)
        curvature = outer.jacobian(derivative, x)
        x.assign_sub(0.01 * derivative / tf.linalg.diag_part(curvature))
        return loss

    return step


TRAININGS = [by_hand, with_layers, to_the_second_order]


@pytest.mark.parametrize("training", TRAININGS, ids=lambda training: training.__name__)
def test_ten_thousand_steps_do_not_grow_memory(training: Callable[[], Any]) -> None:
    """Neither objects nor cycles: the garbage collector sleeps, and has nothing to do when it wakes."""
    step = training()
    first = float(step())
    for _ in range(100):
        step()
    before = blocks()
    with without_collector():
        for _ in range(STEPS):
            last = step()
        assert gc.collect() == 0
    assert blocks() - before < A_FEW
    assert float(last) < first


@pytest.mark.parametrize("training", TRAININGS, ids=lambda training: training.__name__)
def test_steps_leave_no_arrays_in_memory(training: Callable[[], Any]) -> None:
    """Counted in bytes. To keep one array of 1 kB from each step would take eight times what is allowed."""
    step = training()
    tracemalloc.start()
    try:
        for _ in range(100):
            step()
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(400):
            step()
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 50_000


def numbers_of(tensor: tf.Tensor) -> Callable[[], Any]:
    """Gives the array as long as somebody holds it."""
    return weakref.ref(tensor._array)


def test_backward_pass_frees_each_record_after_its_use() -> None:
    """And of what only the record held: the numbers between source and target."""
    x = tf.ones([1000])
    with without_collector():
        with tf.GradientTape() as tape:
            tape.watch(x)
            between = tf.exp(x)
            kept = numbers_of(between)
            y = tf.reduce_sum(between * between)
            del between
        assert kept() is not None  # the rules will read them
        tape.gradient(y, x)
        assert kept() is None


def test_deleting_an_unused_tape_frees_its_arrays() -> None:
    with without_collector():
        x = tf.Variable(tf.ones([10]))
        with tf.GradientTape(persistent=True) as tape:
            y = tf.exp(x)
        kept = numbers_of(y)
        del y
        assert kept() is not None
        del tape
        assert kept() is None


def test_tape_saves_only_arrays_that_its_rules_use() -> None:
    with without_collector():
        x = tf.Variable(tf.ones([10]))
        with tf.GradientTape(persistent=True) as tape:
            y = tf.exp(x)
            z = tf.sin(y + 1.0) + y
        sine, total = numbers_of(y), numbers_of(z)
        del y, z
        assert sine() is not None  # exp is its own derivative
        assert total() is None
        del tape
