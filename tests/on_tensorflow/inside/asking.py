"""`minitape.debug` in a program on TensorFlow."""

import sys
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import minitape
from minitape import debug, errors
from minitape.autodiff.gradient_tape import GradientTape
from minitape.core import events
from minitape.debug.engines import engine_for
from minitape.debug.queries import recordings
from minitape.tracer import tracer as engine_tracer


@pytest.fixture(autouse=True)
def no_tracer_is_active_and_minitape_was_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[None]:
    monkeypatch.setattr(GradientTape, "latest", 0)
    yield
    for each in recordings():
        each.stop()
    assert not tf.config.functions_run_eagerly()


def lost(w: Any, b: Any, **kind: bool) -> tuple[Any, Any]:
    with tf.GradientTape(**kind) as tape:
        loss = tf.constant(np.square(w)) + b * b
    return tape, loss


# --- explaining ---


def test_why_reports_line_cause_and_fix() -> None:
    recording = debug.record()
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    tape, loss = lost(w, b)
    gradients = tape.gradient(loss, [w, b])
    assert gradients[0] is None
    assert float(gradients[1]) == 6.0
    reported = str(debug.why())
    assert reported == str(minitape.why()) == str(debug.why(gradients)) == str(debug.why(w))
    assert reported.startswith(
        "Found 1 mistake, on line 35.\nthe gradient of `loss` with respect to `w` is None\n  asking.py:"
    )
    assert "try : use `tf.square(w)` instead of `np.square(w)`" in reported
    assert debug.why(b).ok
    assert debug.why(gradients[1]).ok
    assert repr(recording) == (
        "<recording: 1 gradient call so far; print(minitape.why()) explains them>"
    )


def test_explain_does_not_change_the_tape() -> None:
    """Inside its block, before its only gradient call, and after it."""
    debug.record()
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        loss = tf.constant(np.square(w)) + b * b
        assert not debug.explain(tape, loss, {"w": w, "b": b}).ok
        loss = loss + b
    assert debug.explain(tape, loss, b).ok
    assert str(debug.why()) == "No gradient was requested."
    assert float(tape.gradient(loss, b)) == 7.0
    assert debug.explain(tape, loss, b).ok
    with pytest.raises(RuntimeError, match="non-persistent"):
        tape.gradient(loss, b)


def test_explain_is_not_recorded_on_another_tape() -> None:
    """d(v³)/dv is 3v², and its derivative 6v: the outer tape must not record the computation of the first."""
    recording = debug.record()
    v = tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = v * v * v
        before = recording.written
        debug.explain(inner, y, v)
        assert not [each for each in recording.trace.events[before:] if each.kind == "op"]
        derivative = inner.gradient(y, v)
    assert float(outer.gradient(derivative, v)) == 18.0


def test_why_of_returns_gradients_and_explanation() -> None:
    weight = tf.Variable([-1.0, -2.0])
    with debug.record():
        with tf.GradientTape() as tape:
            cost = tf.reduce_sum(tf.nn.relu(weight))
        gradients, answer = debug.why_of(tape, cost, [weight])
    assert not gradients[0].numpy().any()
    assert "\nthe gradient of `cost` with respect to `weight` is zero everywhere" in str(answer)


def test_picture_shows_the_given_tape() -> None:
    debug.record()
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    tape, loss = lost(w, b, persistent=True)
    tape.gradient(loss, [w, b])
    with tf.GradientTape() as other:
        cost = tf.square(b)
    assert "1 of 2 connected, None for w" in str(debug.graph())
    assert "None for w" in str(debug.graph(tape))
    assert "6.0" in str(debug.graph(other, cost, b))
    assert debug.graph(theme="dark").svg.count("<svg") == 1


# --- errors ---


def test_untraced_program_cannot_be_explained() -> None:
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    tape, loss = lost(w, b)
    with pytest.raises(
        errors.TapeRuntimeError, match=r"The program was not traced.*\n.*minitape\.debug"
    ):
        debug.why()
    debug.record()
    with pytest.raises(errors.TapeRuntimeError, match="opened before recording started"):
        debug.explain(tape, loss, w)
    assert float(tape.gradient(loss, b)) == 6.0  # the tape was not used by the call


def test_error_names_argument_that_is_not_a_tape() -> None:
    debug.record()
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    tape, loss = lost(w, b)
    with pytest.raises(errors.TapeTypeError, match="EagerTensor` object is not a tape"):
        debug.explain(loss, tape, w)
    with pytest.raises(errors.TapeValueError, match=r"try : call `minitape\.why"):
        debug.why(tf.constant(1.0))


def test_incompatible_tensorflow_is_refused_with_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    from tensorflow.python.eager import backprop

    monkeypatch.delattr(backprop, "_gradient_function")
    with pytest.raises(errors.TapeRuntimeError, match=r"cannot be recorded: .*tested versions"):
        debug.record()
    assert recordings() == []


# --- which engine ---


def test_tensorflow_is_traced_until_a_minitape_tape_is_created() -> None:
    assert debug.record().on == "tensorflow"
    minitape.GradientTape()
    assert debug.record().on == "minitape"
    assert debug.record(on="tensorflow").on == "tensorflow"
    assert debug.record(on="minitape").on == "minitape"
    with pytest.raises(errors.TapeValueError, match="'torch' is not an engine"):
        debug.record(on="torch")
    assert [each.on for each in recordings()] == ["minitape"]


def test_minitape_served_as_tensorflow_is_traced_as_minitape(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "tensorflow", minitape)
    assert debug.record().on == "minitape"
    with pytest.raises(errors.TapeRuntimeError, match="uses minitape here"):
        debug.record(on="tensorflow")


def test_recording_of_other_engine_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The recording began before TensorFlow was imported."""
    with monkeypatch.context() as earlier:
        earlier.setitem(sys.modules, "tensorflow", ModuleType("nothing"))
        recording = debug.record()
    assert recording.on == "minitape"
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    tape, loss = lost(w, b)
    tape.gradient(loss, [w, b])
    assert 'call minitape.debug.record(on="tensorflow")' in str(debug.why())
    with pytest.raises(errors.TapeRuntimeError, match="the program opened no minitape tape"):
        debug.graph()
    with pytest.raises(errors.TapeTypeError, match=r'record\(on="tensorflow"\)'):
        debug.explain(tape, loss, w)


def test_each_tape_is_explained_by_tracer_of_its_engine() -> None:
    with debug.record(on="tensorflow"), debug.record(on="minitape"):
        w, b = tf.Variable(2.0), tf.Variable(3.0)
        tape, loss = lost(w, b)
        v = minitape.Variable(3.0)
        with minitape.GradientTape() as mine:
            y = minitape.exp(v)
        assert not debug.explain(tape, loss, w).ok
        assert debug.explain(mine, y, v).ok
        assert mine.explain(y, v).ok


# --- tracing ---


def test_two_recordings_receive_the_same_events() -> None:
    """The hooks in TensorFlow are installed once, and removed when the last recording has stopped."""
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    with debug.record() as outer:
        with debug.record() as inner:
            tape, loss = lost(w, b, persistent=True)
            tape.gradient(loss, [w, b])
            tape.jacobian(loss, b)
            received = [[each.kind for each in one.trace.events] for one in (outer, inner)]
        assert received[0] == received[1]
        assert received[0].count("gradient") == 2
        tape, loss = lost(w, b)
        tape.gradient(loss, [w, b])
    assert len(inner.why().report.calls) == 2
    assert len(outer.why().report.calls) == 3


def test_functions_are_compiled_again_after_tracing() -> None:
    ran = []

    @tf.function
    def double(x: Any) -> Any:
        ran.append(tf.executing_eagerly())
        return 2.0 * x

    with debug.record():
        double(tf.constant(1.0))
    double(tf.constant(1.0))
    double(tf.constant(1.0))
    assert ran == [True, False]


def test_recordings_under_changed_warning_filters_can_be_restarted() -> None:
    """pytest restores its filters after each test, including those that a recording had set."""
    for _ in range(2):
        with warnings.catch_warnings():
            recording = debug.record()
            with warnings.catch_warnings():
                recording.stop()


def broken(*_: Any) -> None:
    raise ZeroDivisionError("a fault")


def test_tracer_failure_is_reported_and_program_continues(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recording = debug.record()
    monkeypatch.setitem(recording._tracer._reporters, events.GradientCalled, broken)
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    tape, loss = lost(w, b)
    assert float(tape.gradient(loss, b)) == 6.0
    assert "Recording stopped early (ZeroDivisionError: a fault)" in str(debug.why())


def test_observers_and_notes_work_on_tensorflow() -> None:
    seen = []
    with debug.observe(lambda event: seen.append(event["k"])):
        tf.exp(2.0)
        debug.note("half way")
    assert [each for each in seen if each in ("op", "note")] == ["op", "note"]


def test_requested_engine_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorflow", None)
    with pytest.raises(
        errors.TapeRuntimeError,
        match="TensorFlow cannot be recorded, because it cannot be imported",
    ):
        engine_for("tensorflow")


def test_observer_with_failed_tracer_gets_warning_at_end_of_block(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []
    with (
        pytest.warns(RuntimeWarning, match="ZeroDivisionError: a fault"),
        debug.observe(lambda event: seen.append(event["k"])),
    ):
        (tracer,) = engine_tracer.tracing
        monkeypatch.setitem(tracer._reporters, events.TapeOpened, broken)
        w, b = tf.Variable(2.0), tf.Variable(3.0)
        tape, loss = lost(w, b)
        assert float(tape.gradient(loss, b)) == 6.0
    assert seen[0] == "header"
    assert "tape_enter" not in seen
