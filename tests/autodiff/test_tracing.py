"""A listener does not change results; without one, no events are emitted."""

import inspect
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.core import events, listeners, primitive, recorders, variable


class Listener:
    """Stores every event, and returns converted values unchanged."""

    def __init__(self) -> None:
        self.received: list[Any] = []

    def emit(self, event: Any) -> None:
        self.received.append(event)

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        return product


def _training() -> list[Any]:
    """A program that causes every kind of event."""
    x = tf.constant(np.linspace(-1.0, 1.0, 12).reshape(4, 3))
    w, b = tf.Variable(np.full((3, 2), 0.3), name="w"), tf.Variable(np.zeros(2), name="b")
    numbers: list[Any] = []
    for _ in range(3):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.tanh(x @ w + b)
            with tape.stop_recording():
                scale = float(tf.reduce_mean(y))
            loss = tf.reduce_mean(y * y) * (1.0 + scale) + tf.reduce_sum(tf.gather(w, [0, 0]))
        numbers += [tape.gradient(loss, [x, b]), tape.jacobian(y, b)]
        gradient = tf.convert_to_tensor(tape.gradient(loss, w))
        w.assign_sub(0.1 * gradient)
        numbers += [loss, gradient]
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            outer.reset()
            y = tf.reduce_sum(tf.sin(x) * w[0, 0])
        derivative = inner.gradient(y, x)
    numbers += [outer.gradient(derivative, w), np.mean(x)]
    return [
        None if each is None else np.asarray(each).tobytes() for each in tf.nest.flatten(numbers)
    ]


def test_traced_run_is_bitwise_equal() -> None:
    alone = _training()
    listener = Listener()
    with listeners.listen(listener):
        received = _training()
    assert received == alone
    assert len(listener.received) > 100


def _kinds() -> list[type]:
    """All classes of events: those about an op or a variable are in other modules."""
    return [
        each
        for page in (events, primitive, variable)
        for _, each in inspect.getmembers(page, inspect.isclass)
        if each.__module__ == page.__name__ and hasattr(each, "_fields")
    ]


def _failing() -> None:
    x = tf.constant([1.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.unique(x)[0]
    with pytest.raises(LookupError):
        tape.gradient(y, x)


def test_programs_here_cause_every_kind_of_event() -> None:
    """So the two tests around this one omit no kind."""
    listener = Listener()
    with listeners.listen(listener):
        _training()
        _failing()
    assert {type(each) for each in listener.received} == set(_kinds())


def test_no_event_is_created_without_a_listener(monkeypatch: pytest.MonkeyPatch) -> None:
    """An event costs more than a small op, so none may be created in vain."""

    def refuse(*values: Any, **fields: Any) -> None:
        raise AssertionError("an event was made, and nobody listens")

    for kind in _kinds():
        monkeypatch.setattr(kind, "__init__", refuse)
    monkeypatch.setattr(listeners, "hand_out", refuse)
    _training()
    _failing()


def test_failed_gradient_is_emitted() -> None:
    listener = Listener()
    with listeners.listen(listener):
        _failing()
    assert type(listener.received[-1]) is events.GradientFailed


def test_listener_is_removed_when_its_block_ends() -> None:
    listener = Listener()
    with pytest.raises(KeyError), listeners.listen(listener):
        raise KeyError
    tf.constant(1.0)
    assert listener.received == []
    assert listeners.active == ()


def test_backward_steps_are_emitted_in_order() -> None:
    x, listener = tf.constant(3.0), Listener()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x * x)
    with listeners.listen(listener):
        tape.gradient(y, x)
    assert [type(each).__name__ for each in listener.received] == [
        "GradientCalled",
        "BackwardBegan",
        "Seeded",
        "BackwardStepped",
        "BackwardStepped",
        "GradientReturned",
    ]
    plan = listener.received[1].plan
    steps = [each for each in listener.received if type(each) is events.BackwardStepped]
    assert [outputs for outputs, _ in plan] == [step.outputs for step in steps]


def test_each_recorder_has_a_number() -> None:
    """Including the recorder for the variables that a custom-gradient function reads: it is active in a gradient call inside."""
    numbers: list[int] = []

    class Counter(Listener):
        def emit(self, event: Any) -> None:
            if type(event) is events.GradientReturned:
                numbers.extend(recorder.number for recorder in recorders.thread.active)

    @tf.custom_gradient
    def square(x: Any) -> Any:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        derivative = inner.gradient(y, x)
        return y, lambda ybar: ybar * derivative

    with listeners.listen(Counter()):
        square(tf.constant(2.0))
    assert numbers == [recorders.NO_TAPE]
