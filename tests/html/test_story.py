"""The story of a run: its sentence, its scenes, and the run after a verified fix."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from traced import INTERRUPTED, run, stopped_in_the_last_call, traced

from minitape.draw.diagram import Diagram, Link, Station
from minitape.draw.diagram.model import Flow, Frame, StationKind
from minitape.draw.diagram.write.layout import in_one_row
from minitape.explain.explain import explain
from minitape.fixes.suggestions import suggested
from minitape.html import FixedRun, page
from minitape.html.parts import asset
from minitape.html.story.river import river
from minitape.html.story.scenes import SceneKind, Story, story_of
from minitape.run.program import of_file
from minitape.timeline import build_timeline
from minitape.verify.applying import run_with
from minitape.verify.proof import proved
from minitape.verify.rerun import Rerun

LOST = """\
import numpy as np
w, b = tf.Variable(2.0, name="w"), tf.Variable(1.0, name="b")
with tf.GradientTape() as tape:
    q = np.square(w * 3.0 + b)
    loss = tf.multiply(q, 2.0)
dw, db = tape.gradient(loss, [w, b])
"""
HEALTHY = """\
w, b = tf.Variable([1.0, 2.0], name="w"), tf.Variable(1.0, name="b")
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w * w) + b
dw, db = tape.gradient(loss, [w, b])
"""
STOPPED = """\
w = tf.Variable(2.0, name="w")
with tf.GradientTape() as tape:
    y = tf.stop_gradient(w * 3.0)
    loss = y * y
d = tape.gradient(loss, w)
"""
NAN = """\
w = tf.Variable(0.0, name="w")
with tf.GradientTape() as tape:
    loss = tf.sqrt(w * w)
d = tape.gradient(loss, w)
"""
ITERATIONS = """\
w = tf.Variable(1.0, name="w")
for step in range(5):
    with tf.GradientTape() as tape:
        loss = w * w
    w.assign_sub(0.1 * tape.gradient(loss, w))
"""
TWO_CALLS = """\
w, v = tf.Variable(1.0, name="w"), tf.Variable(2.0, name="v")
with tf.GradientTape() as tape:
    y = w * w
d = tape.gradient(y, w)
with tf.GradientTape() as tape:
    z = v * v
e = tape.gradient(z, v)
"""
NESTED = """\
x = tf.Variable(2.0, name="x")
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x * x
    first = inner.gradient(y, x)
second = outer.gradient(first, x)
"""
JACOBIAN = """\
x = tf.Variable([1.0, 2.0], name="x")
with tf.GradientTape() as tape:
    y = x * x
j = tape.jacobian(y, x)
"""
ENDS_EARLY = 'w = tf.Variable(1.0)\nraise ValueError("no data in `a.csv`")\n'
ENDS_LATER = """\
x = tf.Variable(1.0, name="x")
with tf.GradientTape() as tape:
    y = x * x
d = tape.gradient(y, x)
raise ValueError("no data")
"""
NO_CALL = "w = tf.Variable(1.0)\ny = w * w\n"


def story(tmp_path: Path, text: str) -> Story:
    path = tmp_path / "lesson.py"
    path.write_text(f"import minitape as tf\n{text}", encoding="utf-8")
    trace = run(path).trace
    report = explain(trace)
    return story_of(trace, report, build_timeline(trace, report), None)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (LOST, "No gradient reached `w` or `b`: the value left the tape on line 5."),
        (STOPPED, "No gradient reached `w`: line 4 stops the gradient."),
        (NAN, "The gradient of `w` is NaN or infinite: line 4: the derivative is infinite at 0."),
        (HEALTHY, "Both gradients arrive."),
        (ITERATIONS, "All gradients of 5 iterations arrive."),
        (TWO_CALLS, "Both gradients of 2 gradient calls arrive."),
        (JACOBIAN, "The Jacobian of `y` with respect to `x` arrives."),
        (NO_CALL, "No gradient was requested."),
        (ENDS_EARLY, "The script ends before it requests a gradient: line 3 raises `ValueError`."),
        (ENDS_LATER, "The gradient of `x` arrives, but line 6 raises `ValueError`."),
    ],
)
def test_one_sentence_summarizes_the_run(tmp_path: Path, text: str, sentence: str) -> None:
    told = story(tmp_path, text)
    assert f"{told.headline}{told.culprit}" == sentence


def test_exception_that_ended_the_script_is_named(tmp_path: Path) -> None:
    early = story(tmp_path, ENDS_EARLY)
    assert early.lede == "no data in `a.csv`"
    assert [(scene.kind, scene.number) for scene in early.scenes][1:] == [("stops", "line 3")]
    assert story(tmp_path, ENDS_LATER).lede.endswith(" `ValueError`: no data")
    lost = story(tmp_path, LOST + "raise ValueError")
    assert lost.lede.endswith(" Later, line 8 raises `ValueError`.")


def test_long_list_of_gradients_is_counted(tmp_path: Path) -> None:
    text = """\
v = [tf.Variable(float(i)) for i in range(6)]
with tf.GradientTape() as tape:
    loss = tf.add_n(v[:2]) + float(tf.add_n(v[2:]))
grads = tape.gradient(loss, v)
"""
    found = story(tmp_path, text)
    assert found.headline == "No gradient reached 4 of the 6 `v`: "
    assert found.scenes[0].number == "returned 6 gradients, 4 of them None"
    assert found.scenes[2].number == "seed ∂loss/∂loss = 1.0"


def test_seed_of_a_target_without_a_name_has_no_formula(tmp_path: Path) -> None:
    text = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0)
"""
    assert story(tmp_path, text).scenes[2].number == "seed 1.0"


def test_next_mistake_is_named_with_its_line(tmp_path: Path) -> None:
    text = """\
import numpy as np
a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
with tf.GradientTape() as tape:
    p = np.exp(a)
    q = np.cos(b)
    loss = tf.multiply(p, 1.0) + tf.multiply(q, 1.0)
grads = tape.gradient(loss, [a, b])
"""
    found = story(tmp_path, text)
    assert "The run has one more mistake, on line 6." in found.lede
    assert "No recorded op leads from `loss` back to `a` or `b`" in found.scenes[2].text


def test_error_of_the_call_is_told_once(tmp_path: Path) -> None:
    text = HEALTHY + "tape.gradient(loss, w)\n"
    found = story(tmp_path, text)
    assert "Later" not in found.lede
    requested, _, backward = found.scenes[:3]
    assert requested.number == "raised TapeRuntimeError"
    assert backward.text == "The call fails, so the backward pass does not begin."


def test_nan_after_the_call_is_not_of_the_forward_pass(tmp_path: Path) -> None:
    text = """\
w = tf.Variable([0.0, 1.0], name="w")
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.where(w > 0.5, tf.sqrt(w), 1.0))
d = -tape.gradient(loss, w)
"""
    assert story(tmp_path, text).scenes[1].title == "Forward"


def test_fix_is_at_the_line_to_change(tmp_path: Path) -> None:
    text = """\
x = tf.constant([[0.5, 0.25]])
with tf.GradientTape() as tape:
    y = tf.exp(x) * 2.0
d = tape.gradient(y, x)
"""
    path = tmp_path / "lesson.py"
    path.write_text(f"import minitape as tf\n{text}", encoding="utf-8")
    trace = run(path).trace
    report = suggested(explain(trace), trace)
    told = story_of(trace, report, build_timeline(trace, report), None)
    assert told.changed == (("lesson.py", 3, "    tape.watch(x)"),)
    assert [place.line for place in told.scenes[4].lines] == [3]


def test_call_in_which_the_run_was_stopped_has_not_arrived(tmp_path: Path) -> None:
    trace = stopped_in_the_last_call(traced(INTERRUPTED, tmp_path))
    report = explain(trace)
    found = story_of(trace, report, build_timeline(trace, report), None)
    assert found.headline == "The gradient call returned no result."
    assert [scene.kind for scene in found.scenes] == ["requested", "forward", "backward"]


def test_run_with_none_has_five_scenes_and_a_healthy_run_four(tmp_path: Path) -> None:
    kinds = [scene.kind for scene in story(tmp_path, LOST).scenes]
    first = [SceneKind.REQUESTED, SceneKind.FORWARD, SceneKind.BACKWARD]
    assert kinds == [*first, SceneKind.STOPS, SceneKind.TRY]
    kinds = [scene.kind for scene in story(tmp_path, HEALTHY).scenes]
    assert kinds == [*first, SceneKind.ARRIVES]


def test_scenes_name_their_lines_and_steps(tmp_path: Path) -> None:
    told = story(tmp_path, LOST)
    assert [scene.lines[0].line for scene in told.scenes] == [7, 6, 6, 5, 5]
    requested, forward, _, stops, fix = told.scenes
    assert (requested.text, requested.number) == (
        "`tape.gradient(loss, [w, b])`",
        "returned None, None",
    )
    assert forward.number == "loss = 98.0"
    assert stops.text.startswith("Value leaves the tape here")
    assert "not verified" in fix.number


def test_values_that_are_not_finite_are_reported_in_the_forward_pass(tmp_path: Path) -> None:
    text = "w = tf.Variable(0.0)\nwith tf.GradientTape() as tape:\n    loss = tf.math.log(w)\n"
    told = story(tmp_path, f"{text}d = tape.gradient(loss, w)\n")
    assert told.scenes[1].title == "Forward: infinity appears"


def test_nested_tapes_and_the_call_are_named(tmp_path: Path) -> None:
    assert "The tapes are nested" in story(tmp_path, NESTED).lede
    assert "Gradient call 2 of 2, on line 8." in story(tmp_path, TWO_CALLS).lede
    assert "Iteration 5 of 5" in story(tmp_path, ITERATIONS).lede


# --- in the page ---


def data_of(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert found is not None
    return json.loads(found[1])


def test_verified_fix_is_below_the_run_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "lesson.py"
    path.write_text(f"import minitape as tf\n{LOST}", encoding="utf-8")
    program = of_file(path)
    trace = run(path).trace
    with Rerun(program) as again:
        report = proved(explain(trace), trace, again)
    files = report.calls[0].sources[0].findings[0].fixed
    fixed = run_with(program, (), again._run_options, files, trace)
    assert fixed is not None
    text = page(trace, report, fixed=FixedRun(fixed, explain(fixed), files), is_checked=True)
    told = data_of(text)["story"]
    assert [scene["kind"] for scene in told["scenes"]][-1] == "tried"
    assert told["changed"] == [[0, 5, "    q = tf.square(w * 3.0 + b)"]]
    assert text.count('<figure class="river"') == 2
    assert "With line 5 changed" in text
    assert "all gradients arrive" in text
    untried = page(trace, explain(trace))
    assert untried.count('<figure class="river"') == 1
    assert "minitape html lesson.py --check" in untried


def test_page_opens_on_the_story_unless_a_step_or_call_is_selected(tmp_path: Path) -> None:
    path = tmp_path / "lesson.py"
    path.write_text(f"import minitape as tf\n{HEALTHY}", encoding="utf-8")
    trace = run(path).trace
    report = explain(trace)
    assert data_of(page(trace, report))["opensOnStory"] is True
    assert data_of(page(trace, report, start=2))["opensOnStory"] is False
    assert data_of(page(trace, report, call=1))["opensOnStory"] is False


def test_columns_of_a_picture_contain_the_frames_of_nested_tapes() -> None:
    stations = tuple(Station(f"s{i}", StationKind.PART, f"layer {i}") for i in range(3))
    links = tuple(Link(f"s{i}", f"s{i + 1}", Flow.GRADIENT, 0.5, "0.5") for i in range(2))
    frame = Frame("outer", ("s0", "s1", "s2"))
    made = Diagram("All arrive.", "", "", stations, links, frames=(frame,))
    ((_, box),) = in_one_row(made).frames
    found = re.search('data-columns="([^"]*)"', river(made, "run-", {}, "light"))
    assert found is not None
    columns = [tuple(map(float, each.split(","))) for each in found[1].split()]
    assert len(columns) == 3
    assert columns[0][0] == pytest.approx(box.x, abs=1)
    assert columns[-1][1] == pytest.approx(box.right, abs=1)


# --- colors ---


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_have_a_contrast_of_4_5_to_1(theme: str) -> None:
    css = asset("page.css") + asset("story.css")
    blocks = re.findall(r":root(\[data-theme=dark\])? \{([^}]*)\}", css)
    colors: dict[str, str] = {}
    for is_dark, block in blocks:
        if bool(is_dark) is (theme == "dark"):
            colors |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})\b", block))
    texts = ("ink", "quiet", "forward", "backward", "lost", "string", "keyword", "comment")
    texts += ("number", "value", "gradient", "broken", "proven")
    for text in texts:
        for paper in ("paper", "side"):
            assert contrast(colors[text], colors[paper]) >= 4.5, (text, paper)
    assert contrast(colors["ink"], colors["now"]) >= 4.5
    assert contrast(colors["proven"], colors["proven-paper"]) >= 4.5
    assert contrast(colors["ink"], colors["amber-paper"]) >= 4.5
