"""The page's data matches the timeline, step by step."""

import json
import re
from html import unescape
from typing import Any

import msgspec
import pytest

from minitape import draw
from minitape.html import pictures

TRAINING = """\
w = tf.Variable([1.0, 2.0])
b = tf.Variable(0.5)
for step in range({rounds}):
    with tf.GradientTape() as tape:
        h = w * 2.0 + b
        loss = tf.reduce_sum(h * h)
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.01 * dw)
    b.assign_sub(0.01 * db)
"""
NESTED = """\
w = tf.Variable(2.0)
for turn in range(3):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = w * w * w
        slope = inner.gradient(y, w)
    bend = outer.gradient(slope, w)
    w.assign_add(bend * 0.1)
"""
PERSISTENT = """\
w, v = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    y = w * v
    z = tf.exp(w) * 0.5
for target in (y, z):
    for source in (w, v):
        tape.gradient(target, source)
"""
LAYERED = """\
ws = [tf.Variable(0.1 * i + 0.3) for i in range(4)]
for epoch in range(2):
    for batch in (1.0, 2.0, 3.0):
        with tf.GradientTape() as tape:
            h = tf.constant(batch)
            for w in ws:
                h = tf.tanh(h * w)
            loss = h * h
        for w, slope in zip(ws, tape.gradient(loss, ws)):
            w.assign_sub(0.1 * slope)
"""
JACOBIAN = """\
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.sin(x) * x
tape.jacobian(y, x)
"""
ALL = {
    "training": TRAINING.format(rounds=4),
    "nested": NESTED,
    "persistent": PERSISTENT,
    "layered": LAYERED,
    "jacobian": JACOBIAN,
}


@pytest.fixture(params=list(ALL), ids=list(ALL))
def each(request: pytest.FixtureRequest, made: Any) -> Any:
    """The page of each program."""
    return made(ALL[request.param])


def test_every_column_has_an_entry_for_every_step(each: Any) -> None:
    steps = len(each.timeline.steps)
    columns = ("phase", "tone", "call", "what", "code", "label", "iteration", "visit", "visits")
    for name in (*columns, "place", "facts"):
        assert len(each.data[name]) == steps, name
    for kind in ("again", "op"):
        assert [len(column) for column in each.data["moves"][kind]] == [steps, steps]


def test_each_step_has_the_text_of_the_timeline(each: Any) -> None:
    data = each.data
    for i, step in enumerate(each.timeline.steps):
        assert each.text(data["what"][i]) == f"{step.number} {step.what}".strip()
        assert each.text(data["code"][i]) == step.code
        assert data["call"][i] == step.call
        assert data["phase"][i] == step.phase[0]
        reported = [(each.text(label), each.text(text)) for label, text, *_ in data["facts"][i]]
        assert reported == [(fact.label, fact.text) for fact in step.facts]


def test_values_of_a_detail_are_those_of_the_trace(each: Any) -> None:
    for step, facts in zip(each.timeline.steps, each.data["facts"], strict=True):
        for fact, (_, _, _, *at) in zip(step.facts, facts, strict=True):
            if not at:
                assert fact.tensor is None or fact.tensor.size == 1
                continue
            assert fact.tensor is not None
            reported = each.data["tensors"][at[0]]
            numbers = msgspec.to_builtins(fact.tensor)
            assert {key: numbers[key] for key in reported if key in numbers} == reported


@pytest.mark.parametrize("name", sorted(ALL.keys() - {"jacobian"}))
def test_each_card_shows_the_values_of_its_own_iteration(made: Any, name: str) -> None:
    """Equal calls share a drawing; at the end of a call, its cards show the same as in a drawing of that call alone.

    For a Jacobian, a drawing shows the size, and the page shows the shape.
    """
    each = made(ALL[name])
    compared = 0
    for number, one in enumerate(each.data["pictures"]):
        for call in (c for c in each.data["calls"] if c["picture"] == number):
            own = draw.picture(each.trace, each.report, call=call["call"])
            assert len(own.cards) == len(one["cards"])
            for drawn, card in zip(one["cards"], own.cards, strict=True):
                if own.loops and card.op is not None:
                    continue  # a collapsed card represents many values
                for row in card.rows:
                    said = each.row(number, drawn, row.label, call["last"])
                    if row.label in ("value", "grad") and said is not None:
                        assert row.text.partition("  ")[0] == said, (call["text"], drawn)
                        compared += 1
    assert compared >= 4


def test_each_change_of_a_card_is_stored_at_its_step(each: Any) -> None:
    """For cards of the drawn call itself, only the later of two changes in one step remains."""
    for number, one in enumerate(each.data["pictures"]):
        for step in each.timeline.steps:
            last = {(shown.node, shown.row): shown.text for shown in step.shown}
            for (card, row), text in last.items():
                if step.call == one["calls"][0] and card in one["cards"]:
                    assert each.row(number, card, row, step.index) == text
                    assert card in one["acts"][str(step.index)]


# --- pictures ---


def test_two_hundred_iterations_share_a_few_pictures(made: Any) -> None:
    data = made(TRAINING.format(rounds=200)).data
    assert len(data["calls"]) == 200
    assert len(data["pictures"]) == 1


def test_at_most_twelve_kinds_are_drawn_with_problems_first(made: Any) -> None:
    calls = [
        f"with tf.GradientTape() as tape:\n    y = w{' * w' * i}\ntape.gradient(y, w)\n"
        for i in range(1, 20)
    ]
    lost = "with tf.GradientTape() as tape:\n    y = tf.constant(1.0) * 2.0\ntape.gradient(y, w)\n"
    data = made("w = tf.Variable(1.5)\n" + "".join(calls) + lost).data
    assert len(data["pictures"]) == pictures.MOST == 12
    undrawn = [call for call in data["calls"] if call["picture"] is None]
    assert len(undrawn) == 20 - 12
    assert not any(call["problem"] for call in undrawn)
    assert data["calls"][-1]["problem"]


def test_every_id_used_by_the_script_is_in_a_picture(each: Any) -> None:
    for number, one in enumerate(each.data["pictures"]):
        for name in (*one["cards"], *one["edges"]):
            assert f'id="p{number}-{name}"' in unescape(each.html)


def test_each_color_is_named_once_and_has_two_values(each: Any) -> None:
    style, drawn = each.only("<style>", "style"), each.html[each.html.index("<figure") :]
    used = set(re.findall(r"var\(--p(\d+)\)", drawn))
    assert used
    for name in used:
        assert style.count(f"--p{name}:#") == 3  # light; dark by the system, or by choice
    assert '="#' not in drawn[: drawn.rindex("</figure>")]


# --- terms ---


def test_terms_of_a_gradient_add_up_to_it(made: Any) -> None:
    page = made(
        "w = tf.Variable(3.0)\nwith tf.GradientTape() as t:\n    y = w * w\nt.gradient(y, w)\n"
    )
    (terms,) = [each for key, each in page.data["terms"].items() if "var" in key]
    assert [(page.text(amount), page.text(total)) for _, _, amount, total in terms] == [
        ("3.0", "3.0"),
        ("3.0", "6.0"),
    ]


def test_terms_of_each_iteration_are_within_its_call(made: Any) -> None:
    page = made(TRAINING.format(rounds=5))
    (key,) = [name for name in page.data["terms"] if name.startswith("0 var-1")]
    steps = [step for step, *_ in page.data["terms"][key]]
    assert steps == sorted(steps)
    for call in page.data["calls"]:
        assert sum(call["first"] <= step <= call["last"] for step in steps) == 1


# --- minimal runs ---


def test_run_without_a_gradient_call_is_drawn_completely(made: Any) -> None:
    data = made("w = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = w * w\n").data
    assert data["calls"] == []
    assert len(data["pictures"]) == 1
    assert any(card["op"] for card in data["pictures"][0]["cards"].values())


def test_empty_run_makes_an_empty_page(made: Any) -> None:
    page = made("print('hello')\n")
    assert page.data["what"] == []
    assert page.data["start"] == 0


def test_script_that_raises_is_shown_up_to_its_error(made: Any) -> None:
    page = made(
        "w = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = w * w\n    1 / 0\n",
        fails=True,
    )
    last = len(page.data["what"]) - 1
    assert page.text(page.data["what"][last]).endswith("ZeroDivisionError")
    assert last in page.data["moves"]["problems"]


def test_page_opens_at_the_selected_step_or_call(made: Any) -> None:
    assert made(PERSISTENT, start=3).data["start"] == 3
    assert made(PERSISTENT, start=10_000).data["start"] == len(made(PERSISTENT).data["what"]) - 1
    page = made(PERSISTENT, call=3)
    assert page.data["start"] == page.timeline.calls[2].requested


def test_tapes_have_the_users_names(made: Any) -> None:
    data = made(NESTED).data
    assert {call["tape"] for call in data["calls"]} == {"inner", "outer"}


def test_numbers_that_json_lacks_are_strings(made: Any) -> None:
    page = made(
        """\
        x = tf.Variable([0.0, 1.0, -1.0])
        with tf.GradientTape() as tape:
            y = tf.math.log(x)
        tape.gradient(y, x)
        """
    )
    numbers = [tensor["data"] for tensor in page.data["tensors"] if "data" in tensor]
    assert ["-Infinity", 0.0, "NaN"] in numbers


def test_no_value_is_lost_where_sums_overflow_or_are_not_finite(made: Any) -> None:
    page = made(
        """\
        import numpy as np

        halves = np.full((90, 90), 1.5e308)
        large, holed = tf.Variable(halves), tf.Variable(np.where(halves[:9] > 0, np.nan, 0.0))
        few = tf.Variable([np.inf, -np.inf, np.nan, 1.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(large) + tf.reduce_sum(holed)
            z = tf.reduce_sum(few * few)
        tape.gradient([y, z], [large, holed, few])
        """
    )
    kept = ("data", "strip")
    elements = [each[name] for each in page.data["tensors"] for name in kept if name in each]
    assert len(elements) > 4
    assert "null" not in json.dumps(elements)
    assert "Infinity" in json.dumps(elements)
