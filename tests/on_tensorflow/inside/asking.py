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
def no_one_listens_and_minitape_was_not_used(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(GradientTape, "latest", 0)
    yield
    for each in recordings():
        each.stop()
    assert not tf.config.functions_run_eagerly()


def lost(w: Any, b: Any, **kind: bool) -> tuple[Any, Any]:
    with tf.GradientTape(**kind) as tape:
        loss = tf.constant(np.square(w)) + b * b
    return tape, loss


# --- asking ---


def test_why_tells_line_cause_and_fix() -> None:
    recording = debug.record()
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    tape, loss = lost(w, b)
    gradients = tape.gradient(loss, [w, b])
    assert gradients[0] is None
    assert float(gradients[1]) == 6.0
    reported = str(debug.why())
    assert reported == str(minitape.why()) == str(debug.why(gradients)) == str(debug.why(w))
    assert reported.startswith(
        "Found 1 mistake, on line 33.\nthe gradient of `loss` with respect to `w` is None\n  asking.py:"
    )
    assert "try : use `tf.square(w)` instead of `np.square(w)`" in reported
    assert debug.why(b).ok
    assert debug.why(gradients[1]).ok
    assert repr(recording) == (
        "<recording: 1 gradient call so far; print(minitape.why()) explains them>"
    )


def test_a_question_leaves_the_tape_as_it_is() -> None:
    """Inside its block, before its one gradient is given, and after."""
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


def test_no_tape_records_a_question() -> None:
    """d(v³)/dv is 3v², and its slope 6v: asking for the first must not be on the outer tape."""
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


def test_why_of_gives_the_gradient_and_why_it_is_so() -> None:
    weight = tf.Variable([-1.0, -2.0])
    with debug.record():
        with tf.GradientTape() as tape:
            cost = tf.reduce_sum(tf.nn.relu(weight))
        gradients, answer = debug.why_of(tape, cost, [weight])
    assert not gradients[0].numpy().any()
    assert "\nthe gradient of `cost` with respect to `weight` is zero everywhere" in str(answer)


def test_a_picture_is_of_the_tape_that_was_meant() -> None:
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


# --- refusals ---


def test_what_nobody_heard_cannot_be_asked() -> None:
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    tape, loss = lost(w, b)
    with pytest.raises(
        errors.TapeRuntimeError, match=r"The program was not traced.*\n.*minitape\.debug"
    ):
        debug.why()
    debug.record()
    with pytest.raises(errors.TapeRuntimeError, match="opened before recording started"):
        debug.explain(tape, loss, w)
    assert float(tape.gradient(loss, b)) == 6.0  # the question was not put to the tape


def test_what_is_no_tape_is_said_to_be_none() -> None:
    debug.record()
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    tape, loss = lost(w, b)
    with pytest.raises(errors.TapeTypeError, match="EagerTensor is not a tape"):
        debug.explain(loss, tape, w)
    with pytest.raises(errors.TapeValueError, match=r"try : minitape\.why"):
        debug.why(tf.constant(1.0))


def test_another_tensorflow_is_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    from tensorflow.python.eager import backprop

    monkeypatch.delattr(backprop, "_gradient_function")
    with pytest.raises(errors.TapeRuntimeError, match=r"cannot be recorded: .*tested versions"):
        debug.record()
    assert recordings() == []


# --- which engine ---


def test_tensorflow_is_listened_to_until_a_tape_of_minitapes_was_made() -> None:
    assert debug.record().on == "tensorflow"
    minitape.GradientTape()
    assert debug.record().on == "minitape"
    assert debug.record(on="tensorflow").on == "tensorflow"
    assert debug.record(on="minitape").on == "minitape"
    with pytest.raises(errors.TapeValueError, match="'torch' is not an engine"):
        debug.record(on="torch")
    assert [each.on for each in recordings()] == ["minitape"]


def test_minitape_served_as_tensorflow_is_minitape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorflow", minitape)
    assert debug.record().on == "minitape"
    with pytest.raises(errors.TapeRuntimeError, match="uses minitape here"):
        debug.record(on="tensorflow")


def test_who_listens_to_the_other_engine_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The recording began before TensorFlow was imported."""
    with monkeypatch.context() as earlier:
        earlier.setitem(sys.modules, "tensorflow", ModuleType("nothing"))
        recording = debug.record()
    assert recording.on == "minitape"
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    tape, loss = lost(w, b)
    tape.gradient(loss, [w, b])
    assert 'record(on="tensorflow") records it' in str(debug.why())
    with pytest.raises(errors.TapeRuntimeError, match="no minitape tape was opened"):
        debug.graph()
    with pytest.raises(errors.TapeTypeError, match=r'record\(on="tensorflow"\)'):
        debug.explain(tape, loss, w)


def test_each_tape_is_asked_of_who_listens_to_its_engine() -> None:
    with debug.record(on="tensorflow"), debug.record(on="minitape"):
        w, b = tf.Variable(2.0), tf.Variable(3.0)
        tape, loss = lost(w, b)
        v = minitape.Variable(3.0)
        with minitape.GradientTape() as mine:
            y = minitape.exp(v)
        assert not debug.explain(tape, loss, w).ok
        assert debug.explain(mine, y, v).ok
        assert mine.explain(y, v).ok


# --- listening ---


def test_two_who_listen_at_once_hear_the_same() -> None:
    """The hooks in TensorFlow are put in once, and taken out when the last has stopped."""
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


def test_functions_are_graphs_again_when_nobody_listens() -> None:
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


def test_recordings_that_end_under_other_warning_filters_can_begin_again() -> None:
    """pytest restores its filters after each test, with what a recording had put there."""
    for _ in range(2):
        with warnings.catch_warnings():
            recording = debug.record()
            with warnings.catch_warnings():
                recording.stop()


def broken(*_: Any) -> None:
    raise ZeroDivisionError("a fault")


def test_a_fault_of_the_ear_is_told_and_the_program_runs_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recording = debug.record()
    monkeypatch.setitem(recording._tracer._reporters, events.GradientCalled, broken)
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    tape, loss = lost(w, b)
    assert float(tape.gradient(loss, b)) == 6.0
    assert "Recording stopped early (ZeroDivisionError: a fault)" in str(debug.why())


def test_observers_and_notes_reach_who_listens_to_tensorflow() -> None:
    seen = []
    with debug.observe(lambda event: seen.append(event["k"])):
        tf.exp(2.0)
        debug.note("half way")
    assert [each for each in seen if each in ("op", "note")] == ["op", "note"]


def test_an_engine_is_looked_for_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorflow", None)
    with pytest.raises(errors.TapeRuntimeError, match="TensorFlow cannot be imported"):
        engine_for("tensorflow")


def test_an_observer_that_hears_no_more_is_told_when_the_block_ends(
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
