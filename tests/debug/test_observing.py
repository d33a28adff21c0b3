"""`tf.debug.observe`: each event as it happens; `tf.debug.note`: a user's note among them."""

import pytest
from traced import traced

import minitape as tf
from minitape.core import recorders
from minitape.tracer.tracer import Tracer


def received(program):
    reported = []
    with tf.debug.observe(reported.append):
        program()
    return reported


def derivative():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


def test_events_are_emitted_in_order_from_header_to_end():
    events = received(derivative)
    assert [event["i"] for event in events] == list(range(len(events)))
    assert (events[0]["k"], events[-1]["k"]) == ("header", "end")
    assert {"variable", "tape_enter", "read", "op", "gradient", "back", "result"} <= {
        event["k"] for event in events
    }
    assert events[0]["minitape"] == tf.__version__


def test_event_is_emitted_before_the_program_continues():
    reported = []
    with tf.debug.observe(reported.append), tf.GradientTape():
        assert reported[-1]["k"] == "tape_enter"
    assert tf.observe is tf.debug.observe


def test_observer_is_disconnected_after_the_block():
    events = received(derivative)
    count = len(events)
    derivative()
    assert len(events) == count


def test_exception_of_the_observer_is_raised_when_the_block_ends():
    """Raised in the middle of an event, it would leave a tape open that was never entered."""
    reported = []

    def refuse(event):
        reported.append(event["k"])
        if event["k"] == "tape_enter":
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), tf.debug.observe(refuse):
        assert float(derivative()) == 6.0
    assert reported[-1] == "tape_enter"
    assert not recorders.thread.active


def test_observer_gets_more_events_than_a_trace_holds(monkeypatch):
    """A trace stops at a number of events, because it is held in memory; the observer has no limit."""
    monkeypatch.setitem(Tracer.__init__.__kwdefaults__, "max_events", 10)
    events = received(lambda: [derivative() for _ in range(5)])
    assert len(events) > 50
    assert events[-1]["dropped"] == 0


def test_users_note_is_in_every_trace_with_its_line(tmp_path):
    reported = []
    with tf.debug.observe(reported.append):
        run = traced("x = tf.constant(1.0)\ntf.debug.note('half way')\n", tmp_path)
    (note,) = run.reported("note")
    assert note["text"] == "half way"
    assert note["at"][:2] == ["program.py", 2]
    assert [event["text"] for event in reported if event["k"] == "note"] == ["half way"]


def test_note_without_a_tracer_is_not_an_error():
    tf.debug.note("alone")
