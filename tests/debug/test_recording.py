"""Explaining gradients from inside a program."""

import gc
import importlib
import io
import json
import linecache
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from traced import run

import minitape as tf
from minitape import errors
from minitape.core import listeners
from minitape.debug.queries import recordings
from minitape.trace.events import GradientEvent
from minitape_cli import views

pytestmark = pytest.mark.one_in(3)


@pytest.fixture(autouse=True)
def tracer_is_disconnected_afterwards() -> Iterator[None]:
    yield
    while listeners.active:
        listeners.explainer().stop()


def lost(w: Any, **kind: bool) -> tuple[tf.GradientTape, Any]:
    """A tape and a loss that goes through NumPy."""
    with tf.GradientTape(**kind) as tape:
        loss = tf.reduce_sum(np.square(w))
    return tape, loss


def test_why_shows_code_line_and_fix_during_a_recording() -> None:
    w = tf.Variable(2.0)
    with tf.debug.record():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(np.square(w))
        assert tape.gradient(loss, w) is None
        answer = tf.debug.why()
    assert not answer.ok
    reported = str(answer)
    line = answer.mistakes[0].finding.location.line
    assert reported.startswith(
        f"Found 1 mistake, on line {line}.\nthe gradient of `loss` with respect to `w` is"
    )
    assert "test_recording.py:" in reported
    assert "minitape explain MT201" in reported
    assert "tf.square" in reported


def test_why_of_a_healthy_gradient_shows_its_value() -> None:
    w = tf.Variable(2.0)
    with tf.debug.record():
        with tf.GradientTape() as tape:
            loss = w * w
        gradient, answer = tf.debug.why_of(tape, loss, w)
    assert float(gradient) == 4.0
    assert answer.ok
    assert str(answer) == "No problem was found in the gradients."


def test_only_the_requested_call_is_explained() -> None:
    w, v = tf.Variable(2.0), tf.Variable(3.0)
    with tf.debug.record():
        with tf.GradientTape(persistent=True) as tape:
            loss = w * w
        tape.gradient(loss, v)
        _, answer = tf.debug.why_of(tape, loss, [w])
        assert answer.ok
        assert not tf.debug.why().ok


def test_why_without_a_recording_shows_how_to_start_one() -> None:
    """Events that were not traced are gone: an answer would be a guess."""
    with pytest.raises(errors.TapeRuntimeError, match=r"tf\.debug\.record\(\)"):
        tf.debug.why()


def test_zero_can_be_allowed() -> None:
    x = tf.Variable([-1.0, -2.0])
    with tf.debug.record():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.nn.relu(x))
        _, answer = tf.debug.why_of(tape, loss, x)
    (outcome,) = {source.outcome for call in answer.report.calls for source in call.sources}
    assert not answer.ok
    assert answer.without(outcome).ok


def test_answer_uses_the_names_of_target_and_source_in_the_call() -> None:
    """The tape comes first here, not the target as in `tape.gradient`."""
    weight = tf.Variable(2.0)
    with tf.debug.record():
        with tf.GradientTape() as tape:
            cost = tf.reduce_sum(np.square(weight))
        _, answer = tf.debug.why_of(tape, cost, [weight])
    assert answer.mistakes[0].headline == "the gradient of `cost` with respect to `weight` is None"


# --- a recording without a block ---


def test_recording_needs_no_block() -> None:
    """As the first line of a script, or in the first cell of a notebook."""
    recording = tf.debug.record()
    w = tf.Variable(2.0)
    tape, loss = lost(w)
    assert tape.gradient(loss, w) is None
    assert "`np.square` is a NumPy function" in str(tf.why())
    recording.stop()
    recording.stop()
    with pytest.raises(errors.TapeRuntimeError, match=r"The program was not traced"):
        tf.why()
    assert recording.trace.is_whole


def test_second_recording_without_a_block_replaces_the_first() -> None:
    """The first cell of a notebook is run repeatedly: one tracer is enough, and the old calls are dropped."""
    for _ in range(3):
        tf.debug.record()
        w = tf.Variable(2.0)
        tape, loss = lost(w)
        tape.gradient(loss, w)
    assert len(listeners.active) == 1
    assert len(tf.why().report.calls) == 1


def test_recording_inside_a_block_does_not_end_the_block() -> None:
    with tf.debug.record() as outer:
        tf.debug.record().stop()
        assert recordings() == [outer]
    assert listeners.active == ()


def test_recording_of_a_script_ends_with_it(tmp_path: Path) -> None:
    """The commands run scripts, and some of them several times."""
    script = tmp_path / "lesson.py"
    script.write_text("import minitape as tf\n\ntf.debug.record()\nprint(tf.why())\n")
    out = io.StringIO()
    assert run(script, stdout=out).ok
    assert out.getvalue() == "No gradient was requested.\n"
    assert listeners.active == ()


def test_recording_of_a_script_does_not_end_the_commands_tracer(tmp_path: Path) -> None:
    script = tmp_path / "lesson.py"
    script.write_text(
        "import minitape as tf\n\ntf.debug.record()\nw = tf.Variable(2.0)\n"
        "with tf.GradientTape() as tape:\n    y = w * w\ntape.gradient(y, w)\nprint(tf.why())\n"
    )
    out = io.StringIO()
    ran = run(script, stdout=out)
    assert out.getvalue() == "No problem was found in the gradients.\n"
    assert len(ran.trace.of(GradientEvent)) == 1


def test_script_under_a_command_needs_no_recording_of_its_own(tmp_path: Path) -> None:
    script = tmp_path / "lesson.py"
    script.write_text("import minitape as tf\n\nprint(tf.why())\n")
    out = io.StringIO()
    assert run(script, stdout=out).ok
    assert out.getvalue() == "No gradient was requested.\n"


def test_recordings_that_end_in_any_order_restore_python() -> None:
    """They make garbage collection less frequent while they grow."""
    before = gc.get_threshold()
    with tf.debug.record() as first:
        second = tf.debug.record()
        assert gc.get_threshold() != before
        first.stop()
        second.stop()
    assert gc.get_threshold() == before


def test_recording_shows_how_to_query_it() -> None:
    recording = tf.debug.record()
    w = tf.Variable(2.0)
    tape, loss = lost(w)
    tape.gradient(loss, w)
    assert repr(recording) == "<recording: 1 gradient call so far; print(tf.why()) explains them>"


def test_call_after_the_recording_is_full_is_reported_as_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recording = tf.debug.record()
    monkeypatch.setattr(recording._tracer, "_max_events", recording.written)
    w = tf.Variable(2.0)
    tape, loss = lost(w)
    tape.gradient(loss, w)
    reported = str(tf.why())
    assert "The recording is full" in reported
    assert "To start a new recording, call tf.debug.record()." in reported


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that runs text as IPython does: compiled as a file whose name IPython maps to the cell."""
    shown: dict[str, tuple[str, str]] = {}
    shell = SimpleNamespace(compile=SimpleNamespace(format_code_name=shown.get))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    names: dict[str, Any] = {"tf": tf, "np": np}

    def run_cell(text: str) -> None:
        name = f"<ipython-input-{len(shown) + 1}-c0ffee>"
        shown[name] = ("Cell", f"In[{len(shown) + 1}]")
        monkeypatch.setitem(
            linecache.cache, name, (len(text), None, text.splitlines(keepends=True), name)
        )
        exec(compile(text, name, "exec"), names)

    return run_cell


def test_running_notebooks_cell_has_its_displayed_name(cell: Callable[[str], None]) -> None:
    cell("tf.debug.record()\nw = tf.Variable(2.0)\n")
    cell(
        "with tf.GradientTape() as tape:\n    loss = tf.constant(float(w))\ntape.gradient(loss, w)\n"
    )
    reported = str(tf.why())
    assert "\n  In[2]:2: the tensor becomes a Python number here" in reported
    assert "`float(w)` on line 2 converts" in reported


class Name(str):
    """A file name of a subclass of `str`, as of a tool that generates code."""

    __slots__ = ("origin",)


_NUMPY_DETOUR = """\
import numpy as np
import minitape as tf
w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(np.square(w))
tape.gradient(loss, w)
"""


def _stored_files(name: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record a program that was compiled under this name; return the names of its files in the written trace."""
    lines = _NUMPY_DETOUR.splitlines(keepends=True)
    entry = (len(_NUMPY_DETOUR), None, lines, os.fsdecode(name))
    monkeypatch.setitem(linecache.cache, os.fsdecode(name), entry)
    with tf.debug.record() as recording:
        exec(compile(_NUMPY_DETOUR, name, "exec"), {})
    assert "`np.square` is a NumPy function" in str(recording.why())
    assert recording.debugger().html
    events = [json.loads(line) for line in views.jsonl(recording.trace).splitlines()]
    return [
        each["file"] for each in events if each["k"] == "source" and each["text"] == _NUMPY_DETOUR
    ]


def test_edited_and_reloaded_module_is_shown_with_its_new_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "edited", raising=False)
    file = tmp_path / "edited.py"
    text = "import numpy as np\nimport minitape as tf\ndef lost(w):\n    return tf.constant(np.{}(w))\n"
    for function in ("square", "expm1"):  # texts of different sizes, as files of one second need
        file.write_text(text.format(function))
        importlib.invalidate_caches()
        module = importlib.import_module("edited")
        if function == "expm1":
            importlib.reload(module)
        with tf.debug.record() as recording:
            w = tf.Variable(2.0)
            with tf.GradientTape() as tape:
                loss = module.lost(w)
            tape.gradient(loss, w)
            assert f"`np.{function}` is a NumPy function" in str(recording.why())


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (Name("<cell 7>"), "<cell 7>"),
        (Name("generated.py"), "generated.py"),
        (Path("generated.py"), "generated.py"),
        (b"generated.py", "generated.py"),
    ],
    ids=["subclass of a cell", "subclass", "path", "bytes"],
)
def test_file_name_of_any_type_accepted_by_python_is_a_string_in_the_trace(
    name: Any, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _stored_files(name, monkeypatch) == [shown]


_FILE = "<ipython-input-1-c0ffee>"


@pytest.mark.parametrize(
    ("named", "shown"),
    [
        (("Cell", Name("In[1]")), "In[1]"),
        (("Cell", 1), _FILE),
        (("Cell", Path("In[1]")), _FILE),
        ("In[1]", _FILE),
        (Mock(), _FILE),
        (None, _FILE),
    ],
)
def test_cell_name_is_a_string_whatever_ipython_returns(
    named: Any, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = SimpleNamespace(compile=SimpleNamespace(format_code_name=lambda _: named))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert _stored_files(_FILE, monkeypatch) == [shown]


@pytest.mark.parametrize("shell", [SimpleNamespace(compile=SimpleNamespace()), object()])
def test_shell_without_cell_names_is_accepted(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As IPython before 8, or another program that imitates it."""
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert _stored_files(_FILE, monkeypatch) == [_FILE]


def test_line_of_another_cell_is_named_with_its_cell(cell: Callable[[str], None]) -> None:
    cell("tf.debug.record()\nw = tf.Variable(2.0)\ndef model(x):\n    return np.square(x)\n")
    cell(
        "\nwith tf.GradientTape() as tape:\n    loss = tf.reduce_sum(model(w))\ntape.gradient(loss, w)\n"
    )
    reported = str(tf.why())
    assert "\n  In[1]:4: value leaves the tape here: NumPy operations are not recorded" in reported
    assert "The result of `model` re-enters TensorFlow on line 3 of In[2] as a constant" in reported


# --- why ---


def test_why_of_none_explains_all_none_gradients() -> None:
    """Users write `tf.why(gradient)`; a None does not identify the call that returned it."""
    tf.debug.record()
    w = tf.Variable(2.0)
    tape, loss = lost(w)
    gradient = tape.gradient(loss, w)
    assert str(tf.why(gradient)) == str(tf.why()) == str(tf.why([gradient]))


def test_source_is_explained_alone_and_by_its_last_call() -> None:
    tf.debug.record()
    w, v = tf.Variable(2.0), tf.Variable(3.0)
    tape, loss = lost(w)
    tape.gradient(loss, [w, v])
    with tf.GradientTape() as tape:
        good = w * w
    tape.gradient(good, w)
    assert tf.why(w).ok
    assert not tf.why(v).ok
    assert [source.name for call in tf.why(v).report.calls for source in call.sources] == ["v"]
    assert not tf.why({"both": [w, v]}).ok


def test_gradient_value_identifies_its_call() -> None:
    tf.debug.record()
    x = tf.Variable([-1.0, -2.0])
    with tf.GradientTape(persistent=True) as tape:
        dead, alive = tf.nn.relu(x), x * x
    zeros, derivative = tape.gradient(dead, x), tape.gradient(alive, x)
    assert "is zero everywhere" in str(tf.why(zeros))
    assert tf.why(derivative).ok


def test_value_that_is_not_a_gradient_is_reported() -> None:
    tf.debug.record()
    w, other = tf.Variable(2.0), tf.Variable(1.0)
    tape, loss = lost(w)
    tape.gradient(loss, w)
    for stranger in (other, loss, 3.0):
        with pytest.raises(errors.TapeValueError, match=r"No recorded gradient call"):
            tf.why(stranger)


def test_each_none_in_the_iterations_of_a_loop_is_reported_once() -> None:
    tf.debug.record()
    w, b = tf.Variable(2.0), tf.Variable(1.0)
    for step in range(5):
        with tf.GradientTape() as tape:
            loss = w * b if step < 2 else tf.reduce_sum(np.square(w)) + np.square(b)
        tape.gradient(loss, [w, b])
    reported = str(tf.why())
    headline = "the gradient of `loss` with respect to `w` and `b` is None, in 3 of 5 iterations"
    assert reported.count("the gradient of `loss` with respect to") == reported.count(headline) == 1


# --- tape.explain ---


def test_tape_explains_a_gradient_that_it_has_computed() -> None:
    """It is not persistent and has already been used: the answer is in the recording."""
    tf.debug.record()
    w, b = tf.Variable(2.0), tf.Variable(1.0)
    tape, loss = lost(w)
    tape.gradient(loss, [w, b])
    answer = tape.explain(loss, w)
    assert "with respect to `w` is None" in str(answer)
    assert [source.name for call in answer.report.calls for source in call.sources] == ["w"]


def test_tape_explains_a_gradient_before_the_request_and_is_not_consumed() -> None:
    tf.debug.record()
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = w * w
        assert tape.explain(loss, w).ok
        loss = loss + w
    assert float(tape.gradient(loss, w)) == 5.0
    with pytest.raises(RuntimeError, match="can only be used to compute one set"):
        tape.gradient(loss, w)


def test_explaining_is_not_recorded_by_any_tape() -> None:
    """The backward pass of a persistent tape inside its block is on the tape, and enables the second order; this one must not."""
    tf.debug.record()
    w = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as outer, tf.GradientTape(persistent=True) as tape:
        loss = w * w
        lengths = [len(each._tape.records) for each in (outer, tape)]
        assert tape.explain(loss, w).ok
        assert [len(each._tape.records) for each in (outer, tape)] == lengths


def test_explanation_is_not_a_gradient_call_of_the_program() -> None:
    tf.debug.record()
    w = tf.Variable(2.0)
    tape, loss = lost(w)
    assert not tape.explain(loss, w).ok
    assert str(tf.why()) == "No gradient was requested."
    tape.gradient(loss, w)
    assert len(tf.why().report.calls) == 1


def test_explanation_is_not_reported_as_the_use_that_consumed_a_tape() -> None:
    tf.debug.record()
    w = tf.Variable(2.0)
    tape, loss = lost(w)
    tape.explain(loss, w)
    tape.gradient(loss, w)  # this line
    answer = tape.explain(w * 1.0, w)
    used = (
        test_explanation_is_not_reported_as_the_use_that_consumed_a_tape.__code__.co_firstlineno + 5
    )
    assert f"the gradient call on line {used} has already used" in str(answer)


def test_call_that_would_raise_is_explained() -> None:
    tf.debug.record()
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = float(w)
    answer = tape.explain(loss, w)
    assert "could not be computed" in str(answer)
    assert "float" in str(answer)


def test_seeds_identify_a_separate_request() -> None:
    tf.debug.record()
    w = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        loss = w * w
    tape.gradient(loss, w)
    assert tape.explain(loss, w).ok
    nothing = tape.explain(loss, w, output_gradients=tf.constant(0.0))
    assert nothing.report.calls[0].event != tape.explain(loss, w).report.calls[0].event


def test_untraced_tape_shows_how_to_start_a_recording() -> None:
    w = tf.Variable(2.0)
    tape, loss = lost(w)
    with pytest.raises(errors.TapeRuntimeError, match=r"tf\.debug\.record\(\)"):
        tape.explain(loss, w)
    assert tape.gradient(loss, w) is None
