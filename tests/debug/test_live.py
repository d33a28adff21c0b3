"""Asking from inside a program."""

import numpy as np
import pytest

import minitape as tf
from minitape import errors


def test_why_tells_code_line_and_fix_while_someone_listens() -> None:
    w = tf.Variable(2.0)
    with tf.debug.record():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(np.square(w))
        assert tape.gradient(loss, w) is None
        answer = tf.debug.why()
    assert not answer.ok
    told = str(answer)
    assert told.startswith("the gradient of loss with respect to w is None")
    assert "test_live.py:" in told
    assert "minitape explain MT201" in told
    assert "tf.square" in told


def test_why_of_a_healthy_gradient_gives_it_and_says_so() -> None:
    w = tf.Variable(2.0)
    with tf.debug.record():
        with tf.GradientTape() as tape:
            loss = w * w
        gradient, answer = tf.debug.why_of(tape, loss, w)
    assert float(gradient) == 4.0
    assert answer.ok
    assert str(answer) == "No gradient was lost."


def test_only_the_call_in_question_is_told() -> None:
    w, v = tf.Variable(2.0), tf.Variable(3.0)
    with tf.debug.record():
        with tf.GradientTape(persistent=True) as tape:
            loss = w * w
        tape.gradient(loss, v)
        _, answer = tf.debug.why_of(tape, loss, [w])
        assert answer.ok
        assert not tf.debug.why().ok


def test_without_a_listener_it_says_what_to_write() -> None:
    """What went past a tape is gone: an answer would be a guess."""
    with pytest.raises(errors.TapeRuntimeError, match=r"tf\.debug\.record\(\)"):
        tf.debug.why()


def test_a_zero_can_be_allowed() -> None:
    x = tf.Variable([-1.0, -2.0])
    with tf.debug.record():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.nn.relu(x))
        _, answer = tf.debug.why_of(tape, loss, x)
    (outcome,) = {source.outcome for call in answer.report.calls for source in call.sources}
    assert not answer.ok
    assert answer.without(outcome).ok


def test_the_answer_calls_target_and_source_as_the_question_does() -> None:
    """The tape comes first here, not the target as in `tape.gradient`."""
    weight = tf.Variable(2.0)
    with tf.debug.record():
        with tf.GradientTape() as tape:
            cost = tf.reduce_sum(np.square(weight))
        _, answer = tf.debug.why_of(tape, cost, [weight])
    assert str(answer).startswith("the gradient of cost with respect to weight is None")
