"""The contents of a picture, from the traces of small programs (tests/golden/draw/*.py)."""

from dataclasses import replace
from pathlib import Path

import pytest
from drawings import chain, numbered, report_of, trace_of
from msgspec import structs
from traced import VANISHING, run

from minitape import draw
from minitape.draw.facts import Facts
from minitape.draw.model import Card, EdgeKind, Pill, Role
from minitape.errors import DrawError
from minitape.explain.explain import explain
from minitape.explain.report import Outcome
from minitape.trace import events
from minitape.trace.trace import Trace


def card(picture: draw.Picture, title: str) -> Card:
    return next(card for card in picture.cards if card.title == title)


# --- a healthy call ---


def test_each_op_is_a_card_with_line_value_and_gradient() -> None:
    picture = draw.picture(trace_of("line"))
    mean = card(picture, "Mean")
    assert (mean.role, mean.tag, mean.location) == (Role.TARGET, "target · #5", "line 9")
    assert mean.code == "loss = tf.reduce_mean(err * err)"
    assert [(row.label, row.text) for row in mean.rows] == [
        ("value", "1.625"),
        ("grad", "1.0  (seed)"),
    ]
    assert card(picture, "W").role is Role.VARIABLE
    assert [c.title for c in picture.cards if c.role is Role.PATH] == [
        "MatMul",
        "AddV2",
        "Sub",
        "Mul",
    ]


def test_caption_is_the_answer() -> None:
    picture = draw.picture(trace_of("line"))
    assert [line.text for line in picture.caption] == [
        "tape.gradient(loss, [W, b])  →  2 of 2 connected",
        "5 ops recorded · 2 variables watched",
    ]


def test_x_times_x_draws_two_edges() -> None:
    picture = draw.picture(trace_of("line"))
    square, err = card(picture, "Mul").id, card(picture, "Sub").id
    assert [(e.tail, e.head) for e in picture.edges].count((err, square)) == 2


def test_op_that_expands_a_small_tensor_is_called_broadcast() -> None:
    picture = draw.picture(trace_of("line"))
    assert [edge.label for edge in picture.edges if "broadcast" in edge.label] == ["()  broadcast"]


def test_constant_is_a_pill_with_its_name_in_the_program() -> None:
    picture = draw.picture(trace_of("line"))
    pills = [node for node in picture.nodes if isinstance(node, Pill)]
    assert [pill.title for pill in pills] == ["x  (2, 3)", "y  (2, 1)"]
    assert all(pill.role is Role.CONSTANT for pill in pills)


# --- a broken path ---


def test_break_is_between_the_recorded_and_the_reentering_value() -> None:
    trace = trace_of("detour")
    picture = draw.picture(trace, report_of(trace))
    broken, before, after = (card(picture, t) for t in ("left the tape", "Mul", "b constant"))
    assert broken.role is Role.BREAK
    assert broken.location == "line 8"
    assert broken.code == "b = np.sin(a)"
    assert [(row.label, row.text) for row in broken.rows] == [
        ("why", "here the value leaves the tape for NumPy"),
        ("fix", "tf.sin(a)"),
    ]
    flows = {(edge.tail, edge.head): edge.flow for edge in picture.edges}
    assert flows[before.id, broken.id] is EdgeKind.CUT
    assert flows[broken.id, after.id] is EdgeKind.GHOST
    assert (before.id, after.id) not in flows


def test_broken_edge_replaces_the_plain_edge() -> None:
    trace = trace_of("detour")
    report = report_of(trace, slug="computed-before-tape")
    finding = report.calls[0].sources[0].findings[0]
    path = (replace(finding.path[0], lost="computed-before-tape"), *finding.path[1:])
    finding = replace(finding, path=path, events=())
    source = replace(report.calls[0].sources[0], findings=(finding,))
    picture = draw.picture(
        trace, replace(report, calls=(replace(report.calls[0], sources=(source,)),))
    )
    x, square, broken = (card(picture, title).id for title in ("x", "Mul", "before the tape"))
    pairs = [(e.tail, e.head) for e in picture.edges if square in (e.tail, e.head) or e.tail == x]
    assert pairs[-2:] == [(x, broken), (broken, square)]
    assert (x, square) not in pairs


def test_every_path_to_the_break_is_marked_as_the_gradients_path() -> None:
    """The report names only one path, but the backward pass would also have followed the other paths."""
    trace = Trace([event for event in chain(5) if not isinstance(event, events.BackEvent)])
    facts = Facts(trace, trace.of(events.GradientEvent)[0], pointed=[7])
    assert facts.path == {1, 2, 3, 4, 5}


def test_ops_before_the_tape_opened_are_left_out() -> None:
    """The tape opens after the second op, whose result is the source."""
    (enter,) = chain(5).of(events.TapeEnterEvent)
    others = [event for event in chain(5) if not isinstance(event, events.TapeEnterEvent)]
    third = next(i for i, e in enumerate(others) if isinstance(e, events.OpEvent) and e.number == 3)
    trace = numbered([*others[:third], enter, *others[third:]])
    call = structs.replace(
        trace.of(events.GradientEvent)[0], sources=[events.GradientSource(4, "h")]
    )
    assert set(Facts(trace, call).drawn) == {2, 3, 4, 5}


def test_source_without_gradient_shows_none_and_the_path_to_the_break_is_not_reached() -> None:
    trace = trace_of("detour")
    picture = draw.picture(trace, report_of(trace))
    assert card(picture, "x").rows[-1].text == "None"
    assert card(picture, "Mul").rows[-1].text == "never reached"
    assert card(picture, "loss").rows[-1].text == "seed never sent"
    assert card(picture, "Mul").role is Role.PATH


def test_unrecorded_op_shows_why() -> None:
    trace = trace_of("detour")
    last = [c for c in draw.picture(trace).cards if c.title == "Mul"][-1]
    assert (last.role, last.tag) == (Role.UNRECORDED, "not recorded")
    assert last.rows[-1].text == "no watched input"


def test_sources_with_one_cause_share_one_card() -> None:
    trace = trace_of("detour")
    report = report_of(trace)
    twice = replace(report.calls[0], sources=report.calls[0].sources * 2)
    picture = draw.picture(trace, replace(report, calls=(twice,)))
    assert [c.title for c in picture.cards].count("left the tape") == 1


def test_op_that_causes_the_break_is_one_card() -> None:
    trace = trace_of("detour")
    report = report_of(trace, slug="stop-gradient")
    finding = report.calls[0].sources[0].findings[0]
    first, last = finding.path[0], finding.path[-1]
    finding = replace(finding, path=(first, replace(last, lost="stop-gradient")))
    source = replace(report.calls[0].sources[0], findings=(finding,))
    picture = draw.picture(
        trace, replace(report, calls=(replace(report.calls[0], sources=(source,)),))
    )
    assert [c.title for c in picture.cards if c.role is Role.BREAK] == ["Mul: stopped here"]


def test_cause_without_a_path_is_attached_to_its_source() -> None:
    trace = trace_of("detour")
    report = report_of(trace, slug="unconnected")
    finding = replace(report.calls[0].sources[0].findings[0], path=(), events=())
    source = replace(report.calls[0].sources[0], findings=(finding,))
    picture = draw.picture(
        trace, replace(report, calls=(replace(report.calls[0], sources=(source,)),))
    )
    cuts = [(e.tail, e.head) for e in picture.edges if e.flow is EdgeKind.CUT]
    assert cuts == [(card(picture, "x").id, card(picture, "no path").id)]


def test_incomplete_gradient_is_broken_where_the_value_reenters() -> None:
    """The gradient arrives along other paths, so there is no path to show. The event that proves the loss has the position."""
    trace = trace_of("detour")
    report = report_of(trace, outcome=Outcome.PARTIAL)
    finding = replace(report.calls[0].sources[0].findings[0], path=())
    source = replace(report.calls[0].sources[0], findings=(finding,))
    picture = draw.picture(
        trace, replace(report, calls=(replace(report.calls[0], sources=(source,)),))
    )
    broken = card(picture, "left the tape").id
    cuts = [(e.tail, e.head) for e in picture.edges if e.flow is EdgeKind.CUT]
    ghosts = [(e.tail, e.head) for e in picture.edges if e.flow is EdgeKind.GHOST]
    assert cuts == [(card(picture, "Mul").id, broken)]
    assert ghosts == [(broken, card(picture, "b constant").id)]


def test_constant_that_causes_the_infinity_is_outlined() -> None:
    trace = trace_of("awkward")
    infinity = next(event for event in trace.of(events.ConstantEvent) if event.numbers.inf)
    report = report_of(trace_of("detour"), slug="nan-input", outcome=Outcome.NAN)
    call = replace(report.calls[0], event=trace.of(events.GradientEvent)[0].i)
    finding = replace(call.sources[0].findings[0], path=(), events=(infinity.i,))
    source = replace(call.sources[0], findings=(finding,))
    picture = draw.picture(trace, replace(report, calls=(replace(call, sources=(source,)),)))
    (marked,) = [c for c in picture.cards if c.role is Role.PROBLEM]
    assert (marked.title, marked.tag) == ("constant", "not watched · FIRST inf")
    assert [e.head for e in picture.edges if e.tail == marked.id] == ["op-1"]


def test_call_that_raises_is_the_problem_itself() -> None:
    trace = trace_of("line")
    report = report_of(trace_of("detour"), slug="tape-consumed", outcome=Outcome.ERROR)
    call = replace(report.calls[0], event=trace.of(events.GradientEvent)[0].i)
    finding = replace(call.sources[0].findings[0], path=(), events=())
    source = replace(call.sources[0], findings=(finding,))
    picture = draw.picture(trace, replace(report, calls=(replace(call, sources=(source,)),)))
    raises = card(picture, "this call raises an error")
    assert (raises.role, raises.tag) == (Role.PROBLEM, "the problem")
    assert (card(picture, "Mean").id, raises.id) in [(e.tail, e.head) for e in picture.edges]


def test_op_where_the_gradient_becomes_zero_is_marked() -> None:
    trace = trace_of("detour")
    report = report_of(trace, slug="dead-relu", outcome=Outcome.ZERO)
    square = trace.of(events.OpEvent)[0]
    finding = replace(report.calls[0].sources[0].findings[0], events=(square.i,))
    source = replace(report.calls[0].sources[0], findings=(finding,))
    picture = draw.picture(
        trace, replace(report, calls=(replace(report.calls[0], sources=(source,)),))
    )
    marked = [c for c in picture.cards if c.role is Role.PROBLEM]
    assert [(c.title, c.tag) for c in marked] == [("Mul", "#1 · zero from here")]


def test_first_infinity_is_marked_without_a_report() -> None:
    marked = [c for c in draw.picture(trace_of("awkward")).cards if c.role is Role.PROBLEM]
    assert [(c.title, c.tag) for c in marked] == [("Mul", "#1 · FIRST inf")]


# --- which call ---


def test_call_with_a_problem_is_the_default_and_any_can_be_selected() -> None:
    trace = trace_of("detour")
    assert draw.picture(trace, report_of(trace), call=1) == draw.picture(trace, report_of(trace))
    with pytest.raises(DrawError, match="only 1 gradient call, not 2"):
        draw.picture(trace, call=2)


def test_trace_without_a_gradient_shows_all_ops() -> None:
    trace = numbered(e for e in trace_of("line") if not isinstance(e, events.GradientEvent))
    picture = draw.picture(trace)
    assert [c.title for c in picture.cards if c.op] == ["MatMul", "AddV2", "Sub", "Mul", "Mean"]
    assert picture.caption[0].text == "line.py:  no gradient was requested"


@pytest.mark.parametrize("name", ["line", "detour", "loop"])
def test_trace_of_a_crash_can_be_drawn(name: str) -> None:
    trace = trace_of(name)
    for length in range(len(trace) + 1):
        picture = draw.picture(Trace(trace.events[:length]), cards=3)
        assert draw.dot(picture)
        assert draw.text(picture)


# --- too many cards ---


def test_loop_becomes_one_card_for_each_op_and_a_pill_for_carried_values() -> None:
    picture = draw.picture(trace_of("loop"), cards=8)
    tanh = card(picture, "Tanh")
    assert tanh.tag == "#3 … #18 · ×6"
    assert [row.label for row in tanh.rows] == ["|value|", "|grad|"]
    (loop,) = picture.loops
    assert (loop.title, loop.note) == (
        "for t in range(6):",
        "line 6 · ×6 · the same variables each time",
    )
    carried = [node for node in picture.nodes if node.role is Role.CARRIED]
    assert [(pill.title, pill.note) for pill in carried] == [("h  carried", "from t to t+1, ×5")]
    assert set(loop.members) >= {tanh.id, carried[0].id}
    assert "18 nodes collapsed into 3" in picture.caption[1].text


def test_strip_over_the_iterations_shows_a_vanishing_gradient() -> None:
    picture = draw.picture(trace_of("loop"), cards=8)
    strip = card(picture, "Tanh").rows[-1].strip
    assert strip is not None
    sizes = [cell for cell in strip.cells if cell is not None]
    assert sizes == sorted(sizes)
    assert sizes[0] < 0.5 < sizes[-1] == 1.0


def test_all_cards_are_drawn_where_they_fit() -> None:
    picture = draw.picture(trace_of("loop"), cards=60)
    assert len([c for c in picture.cards if c.op]) == 19
    assert picture.hidden == ()


@pytest.mark.parametrize("cards", [1, 2, 5, 20])
def test_card_limit_is_respected_and_hidden_cards_are_reported(cards: int) -> None:
    picture = draw.picture(chain(50), cards=cards)
    assert len(picture.cards) == cards
    assert picture.hidden == (f"{52 - 1 - cards} nodes further away left out",)
    assert any(node.role is Role.HIDDEN for node in picture.nodes)
    ids = {node.id for node in picture.nodes}
    assert all({edge.tail, edge.head} <= ids for edge in picture.edges)


def test_limited_picture_keeps_the_cards_near_the_break() -> None:
    trace = trace_of("detour")
    picture = draw.picture(trace, report_of(trace), cards=3)
    assert card(picture, "left the tape")
    assert len(picture.cards) == 3


def test_ten_thousand_ops_do_not_recurse_deeply() -> None:
    picture = draw.picture(chain(10_000), cards=20_000)
    assert len(picture.cards) == 10_001
    assert draw.text(picture).count("[Sin]") == 10_000


# --- texts ---


def test_jacobian_is_not_called_a_gradient(tmp_path: Path) -> None:
    code = """\
import tensorflow as tf
x = tf.Variable([1.0, 2.0, 3.0], name="x")
with tf.GradientTape() as tape:
    y = x[:2] * 2.0
J = tape.jacobian(y, x)
"""
    picture = draw.picture(trace_of_code(tmp_path, code))
    assert picture.caption[0].text == "tape.jacobian(y, x)  →  (2, 3)  |J| = 2.828"
    assert card(picture, "x").rows[-1].text == "(2, 3)  |J| = 2.828"


def test_small_gradient_of_one_source_is_not_reported_as_zero_for_all() -> None:
    """The report concerns one of two sources; its gradient is small, but not zero."""
    trace = trace_of("line")
    call = trace.of(events.GradientEvent)[0]
    report = report_of(trace_of("detour"), "masked-out", Outcome.ZERO)
    (said,) = report.calls
    b = call.sources[1]
    assert b.value is not None
    source = replace(said.sources[0], name=b.name, value=b.value)
    calls = (replace(said, event=call.i, sources=(source,)),)
    picture = draw.picture(trace, replace(report, calls=calls))
    assert picture.caption[0].text.endswith("→  nearly 0 for b")


def test_op_recorded_by_another_tape_says_so(tmp_path: Path) -> None:
    code = """\
import tensorflow as tf
a = tf.Variable(1.0, name="a")
b = tf.Variable(2.0, name="b")
with tf.GradientTape() as first:
    hidden = tf.tanh(a)
with tf.GradientTape() as second:
    out = hidden * b
g = second.gradient(out, [a, b])
"""
    trace = trace_of_code(tmp_path, code)
    tanh = card(draw.picture(trace, explain(trace)), "Tanh")
    assert [(row.label, row.text) for row in tanh.rows][1] == ("why", "recorded by another tape")


def test_second_cause_breaks_the_path_at_its_own_position(tmp_path: Path) -> None:
    """`speed` is not watched, and its result leaves the tape again in NumPy: the first break is between it and its first op."""
    code = """\
import numpy as np
import tensorflow as tf
speed = tf.constant(12.0)
angle = tf.Variable(0.7)
with tf.GradientTape() as tape:
    vx = speed * tf.cos(angle)
    miss = tf.abs(np.multiply(vx, 2.0) - 14.0)
g = tape.gradient(miss, [speed, angle])
"""
    trace = trace_of_code(tmp_path, code)
    picture = draw.picture(trace, explain(trace))
    unwatched, mul = card(picture, "not watched"), card(picture, "Mul")
    ends = [(edge.tail, edge.head, edge.flow) for edge in picture.edges]
    assert (card(picture, "speed").id, unwatched.id, EdgeKind.CUT) in ends
    assert (unwatched.id, mul.id, EdgeKind.GHOST) in ends


def test_complex_constant_is_written_as_complex(tmp_path: Path) -> None:
    code = """\
import tensorflow as tf
x = tf.Variable(1.0 + 2.0j, name="x")
with tf.GradientTape() as tape:
    y = tf.abs(x * tf.constant(1.0 + 1.5j))
g = tape.gradient(y, x)
"""
    picture = draw.picture(trace_of_code(tmp_path, code))
    titles = [node.title for node in picture.nodes if isinstance(node, Pill)]
    assert any("1.0 + 1.5i" in title for title in titles)


def test_op_under_the_tape_is_not_shown_as_made_before_it(tmp_path: Path) -> None:
    code = """\
import tensorflow as tf
gain = tf.Variable(1.5, name="gain")
level = tf.Variable(2.0, name="level")
early = tf.exp(level)
with tf.GradientTape() as tape:
    level.assign(0.9 * level + gain + early)
    y = gain * 2.0
g = tape.gradient(y, gain)
"""
    picture = draw.picture(trace_of_code(tmp_path, code))
    notes = {node.title: node.note for node in picture.nodes if isinstance(node, Pill)}
    assert notes["0.9 * level  1.8"] == "from no source · line 6"
    assert notes["early  7.389"] == "made before the tape · line 4"


def trace_of_code(folder: Path, code: str) -> Trace:
    script = folder / "program.py"
    script.write_text(code)
    return run(script, on="minitape").trace


def test_long_name_keeps_its_end_and_is_complete_in_its_tooltip(tmp_path: Path) -> None:
    """The names of a model's weights differ at their ends."""
    name = "transformer_encoder_layer_11_attention_output_kernel"
    picture = draw.picture(
        trace_of_code(
            tmp_path,
            f"import tensorflow as tf\n{name} = tf.Variable(2.0)\n"
            f"with tf.GradientTape() as tape:\n    y = {name} * 2.0\ng = tape.gradient(y, {name})\n",
        )
    )
    card = next(node for node in picture.nodes if node.role is Role.VARIABLE)
    assert card.title == "transforme…tention_output_kernel"
    assert len(card.title) == 32
    for engine in ("built-in", "graphviz-pure"):
        drawn = draw.render(picture, engine=engine).data.decode()
        assert f"{name} line 2" in drawn.replace("&#45;", "-"), engine


def test_note_is_below_the_answer_of_its_iteration(tmp_path: Path) -> None:
    path = tmp_path / "lesson.py"
    path.write_text("import minitape as tf\n" + VANISHING)
    trace = run(path).trace
    report = explain(trace)
    healthy, vanished = (draw.picture(trace, report, call=call) for call in (1, 2))
    assert not any("MT405" in line.text for line in healthy.caption)
    assert vanished.caption[1].text == (
        "Line 9: the gradient of `loss` vanishes on its way to the first layers (MT405)"
    )
    assert vanished.caption[2].text.startswith("try:  use `tf.nn.relu` instead of sigmoid")
    assert all(card.role is not Role.PROBLEM for card in vanished.cards)
