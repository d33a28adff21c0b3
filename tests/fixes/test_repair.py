"""Fixes that move statements or rename variables result in the gradient of the script that a teacher would write."""

import json
import textwrap
from pathlib import Path

import numpy as np
import pytest
from proving import checked
from traced import run

from minitape.explain.causes import CAUSES
from minitape.explain.report import Finding
from minitape.fixes.repair.rules import FIXES
from minitape.trace.events import ResultEvent

# A script, the cause, and what a teacher would change in it.
SCRIPTS = {
    "a state that is assigned": (
        "state-assign",
        """\
        w, state = tf.Variable(2.0), tf.Variable(3.0)
        with tf.GradientTape() as tape:
            state.assign(w * w)
            y = state * 2.0
        tape.gradient(y, w)
        """,
        [("state.assign(w * w)", "new = w * w"), ("state * 2.0", "new * 2.0")],
    ),
    "a state of a recurrent loop": (
        "state-assign",
        """\
        w, state = tf.Variable(0.5), tf.Variable(1.0)
        with tf.GradientTape() as tape:
            for x in [1.0, 2.0, 3.0]:
                state.assign(tf.tanh(w * state + x))
            y = state * state
        tape.gradient(y, w)
        """,
        [("state.assign(tf.tanh(w * state + x))", "state = tf.tanh(w * state + x)")],
    ),
    "a state of the program that a helper assigns": (
        "state-assign",
        """\
        w, state = tf.Variable(0.5), tf.Variable(1.0)
        def step(x):
            state.assign_add(w * x)
        with tf.GradientTape() as tape:
            step(2.0)
            step(3.0)
            y = state * state
        tape.gradient(y, w)
        """,
        [("    state.assign_add(w * x)", "    global state; state = state + w * x")],
    ),
    "a state of an object": (
        "state-assign",
        """\
        class Cell:
            def __init__(self):
                self.w, self.state = tf.Variable(0.5), tf.Variable(1.0)
            def step(self, x):
                self.state.assign_sub(self.w * x)
        cell = Cell()
        with tf.GradientTape() as tape:
            for x in [2.0, 3.0]:
                cell.step(x)
            y = cell.state ** 2
        tape.gradient(y, cell.w)
        """,
        [("self.state.assign_sub(self.w * x)", "self.state = self.state - self.w * x")],
    ),
    "a state whose new value is used immediately": (
        "state-assign",
        """\
        w, state = tf.Variable(0.5), tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = 0.0
            for _ in range(3):
                y = y + state.assign(w * state + 1.0)
        tape.gradient(y, w)
        """,
        [("state.assign(w * state + 1.0)", "(state := w * state + 1.0)")],
    ),
    "a metric that is called like a loss, under a name that had another value": (
        "metric-as-loss",
        """\
        w = tf.Variable([2.0, 3.0])
        measure = tf.keras.losses.MeanAbsoluteError()
        measure = tf.keras.metrics.MeanSquaredError()
        with tf.GradientTape() as tape:
            y = measure(tf.constant([1.0, 1.0]), w)
        tape.gradient(y, w)
        """,
        [("metrics.MeanSquaredError", "losses.MeanSquaredError")],
    ),
    "a step on the source itself": (
        "state-assign",
        """\
        w, rate = tf.Variable(3.0), tf.Variable(0.1)
        with tf.GradientTape(persistent=True) as tape:
            w.assign(w - rate * w)
            y = w * w
        tape.gradient(y, rate)
        """,
        [("w.assign(w - rate * w)", "new = w - rate * w"), ("w * w\ntape", "new * new\ntape")],
    ),
    "a board filled square by square": (
        "state-assign",
        """\
        w, board = tf.Variable(0.5), tf.Variable(tf.zeros([3, 3]))
        with tf.GradientTape() as tape:
            for i in range(3):
                board[i, i].assign(w * (i + 1.0))
                board[i].assign(board[i] * w)
            y = tf.reduce_sum(board * board)
        tape.gradient(y, w)
        """,
        [
            ("board[i, i].assign(w * (i + 1.0))",
             "board = tf.tensor_scatter_nd_update(board, [[i, i]], [w * (i + 1.0)])"),
            ("board[i].assign(board[i] * w)",
             "board = tf.tensor_scatter_nd_update(board, [[i]], [board[i] * w])"),
        ],
    ),
    "a slice of a vector": (
        "state-assign",
        """\
        w, line = tf.Variable([0.5, 2.0]), tf.Variable(tf.ones([4]))
        with tf.GradientTape() as tape:
            line[1:3].assign(w * w)
            y = tf.reduce_sum(line * line)
        tape.gradient(y, w)
        """,
        [("line[1:3].assign(w * w)", "line = tf.concat([line[:1], w * w, line[3:]], 0)")],
    ),
    "rows that are added in a helper": (
        "state-assign",
        """\
        w, table = tf.Variable([0.5, 2.0]), tf.Variable(tf.zeros([3, 2]))
        def add(i):
            table.scatter_add(tf.IndexedSlices(w * i, i))
        with tf.GradientTape() as tape:
            for i in range(3):
                add(i)
            y = tf.reduce_sum(table * table)
        tape.gradient(y, w)
        """,
        [("    table.scatter_add(tf.IndexedSlices(w * i, i))",
          "    global table; table = tf.tensor_scatter_nd_add(table, [[i]], [w * i])")],
    ),
    "a target that is the variable itself": (
        "state-assign",
        """\
        w, total = tf.Variable(0.5), tf.Variable(0.0)
        with tf.GradientTape() as tape:
            total.assign(1.0)
            for x in [1.0, 2.0]:
                total.assign_add(w * w * x)
        tape.gradient(total, w)
        """,
        [("total.assign(1.0)", "total = 1.0"),
         ("total.assign_add(w * w * x)", "total = total + w * w * x")],
    ),
    "a value that another tape needs too": (
        "other-tape",
        """\
        g, d = tf.Variable(0.5), tf.Variable(2.0)
        with tf.GradientTape() as first:
            fake = tf.tanh(g)
            score = fake * d
        first.gradient(score, d)
        with tf.GradientTape() as second:
            loss = fake * fake * d
        second.gradient(loss, g)
        """,
        [("    loss = fake * fake * d", "    fake = tf.tanh(g); loss = fake * fake * d")],
    ),
    "a reset": (
        "tape-reset",
        """\
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            h = w * w
            tape.reset()
            y = h * 2.0
        tape.gradient(y, w)
        """,
        [("tape.reset()", "pass")],
    ),
    "a reset in a helper": (
        "tape-reset",
        """\
        def clean(tape):
            tape.reset()
            return 2.0
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            h = w * w
            y = h * clean(tape)
        tape.gradient(y, w)
        """,
        [("    tape.reset()\n", "")],
    ),
    "a slice as the source": (
        "source-is-copy",
        """\
        v = tf.Variable([2.0, 3.0])
        with tf.GradientTape() as tape:
            y = v[0] * v[0] * v[1]
        g = tape.gradient(y, v[0])
        """,
        [("tape.gradient(y, v[0])", "tape.gradient(y, v)[0]")],
    ),
    "a source that is computed twice": (
        "source-is-copy",
        """\
        w = tf.Variable([2.0, 3.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.square(2.0 * w))
        g = tape.gradient(y, 2.0 * w)
        """,
        [("y = tf.reduce_sum(tf.square(2.0 * w))", "h = 2.0 * w; y = tf.reduce_sum(tf.square(h))"),
         ("(y, 2.0 * w)", "(y, h)")],
    ),
    "an earlier value of a variable": (
        "source-is-copy",
        """\
        w = tf.Variable([2.0, 3.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(w ** 3)
        now = {"w": w.read_value()}
        tape.gradient(y, now)
        """,
        [("w.read_value()", "w")],
    ),
    "a watched copy": (
        "source-is-copy",
        """\
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(tf.identity(x))
            y = x * x
        tape.gradient(y, x)
        """,
        [("tf.identity(x)", "x")],
    ),
    "two tapes, one after the other": (
        "other-tape",
        """\
        w = tf.Variable(3.0)
        with tf.GradientTape() as first:
            h = w * w
        print("between")
        with tf.GradientTape() as second:
            y = h * 2.0
        second.gradient(y, w)
        """,
        [("with tf.GradientTape() as second:\n", "if True:\n"), ("second.gradient", "first.gradient"),
         ('print("between")\nif True:\n', "")],
    ),
    "a tape that did not record the target": (
        "other-tape",
        """\
        w = tf.Variable(3.0)
        with tf.GradientTape() as first:
            h = w * w
        with tf.GradientTape() as second:
            y = w * w * w
        first.gradient(y, w)
        """,
        [("first.gradient", "second.gradient")],
    ),
    "a state that passes through the iterations": (
        "other-tape",
        """\
        w, state = tf.Variable(0.5), tf.constant(1.0)
        outcomes = []
        for x in [1.0, 2.0]:
            with tf.GradientTape() as tape:
                outcomes.append(state * 3.0)
                state = w * state + x
            g = tape.gradient(outcomes[-1], w, unconnected_gradients="none")
        """,
        [("with tf.GradientTape() as tape:", "if True:"),
         ("\nfor", "\nwith tf.GradientTape(persistent=True) as tape:\n  for")],
    ),
    "a helper before the block": (
        "computed-before-tape",
        """\
        def features(w):
            squares = w * w
            return tf.sin(squares)
        def train(w):
            h = features(w)
            scaled = h * 2.0
            with tf.GradientTape() as tape:
                y = scaled * 3.0
            return tape.gradient(y, w)
        train(tf.Variable(0.5))
        """,
        [("    h = features(w)\n    scaled = h * 2.0\n", ""), ("y = scaled", "y = features(w) * 2.0")],
    ),
    "a loop before the block": (
        "computed-before-tape",
        """\
        w = tf.Variable(0.5)
        h = tf.constant(1.0)
        for x in [1.0, 2.0]:
            h = h * w + x
        with tf.GradientTape() as tape:
            y = h * 3.0
        tape.gradient(y, w)
        """,
        [("\nwith tf.GradientTape() as tape:\n    y", "\n  y"),
         ("h = tf.constant(1.0)\nfor", "with tf.GradientTape() as tape:\n  h = tf.constant(1.0)\n  for")],
    ),
    "a block in a loop, and a value computed before the loop": (
        "computed-before-tape",
        """\
        w = tf.Variable(0.5)
        h = w * w
        for x in [1.0, 2.0]:
            with tf.GradientTape() as tape:
                y = h * x
            tape.gradient(y, w)
        """,
        [("h = w * w\n", ""), ("y = h * x", "y = w * w * x")],
    ),
    "a block in a function whose argument is the value": (
        "computed-before-tape",
        """\
        def slope(value):
            with tf.GradientTape() as tape:
                y = value * 3.0
            return tape.gradient(y, w)
        w = tf.Variable(0.5)
        h = w * w
        slope(h + 1.0)
        """,
        [("y = value * 3.0", "y = (w * w + 1.0) * 3.0")],
    ),
    "an attribute that was computed when the object was made": (
        "computed-before-tape",
        """\
        class Layer:
            def __init__(self):
                self.w = tf.Variable(0.5)
                self.kernel = self.w * self.w
        layer = Layer()
        with tf.GradientTape() as tape:
            y = layer.kernel * 3.0
        tape.gradient(y, layer.w)
        """,
        [("y = layer.kernel", "y = layer.w * layer.w")],
    ),
    "a default value": (
        "computed-before-tape",
        """\
        w = tf.Variable(0.5)
        def loss(x, penalty=w * w):
            return x + penalty * 3.0
        with tf.GradientTape() as tape:
            y = loss(tf.constant(1.0))
        tape.gradient(y, w)
        """,
        [("penalty=w * w", "penalty=None"), ("penalty * 3.0", "w * w * 3.0")],
    ),
    "a cached value": (
        "computed-before-tape",
        """\
        import functools
        w = tf.Variable(0.5)
        @functools.cache
        def kernel():
            return w * w
        def warm_up():
            return kernel()
        warm_up()
        with tf.GradientTape() as tape:
            y = kernel() * 3.0
        tape.gradient(y, w)
        """,
        [("@functools.cache\n", "")],
    ),
    "two lines after the block": (
        "computed-after-tape",
        """\
        w = tf.Variable(0.5)
        with tf.GradientTape() as tape:
            h = w * w
        a = h * 2.0
        b = tf.sin(a)
        tape.gradient(b, w)
        """,
        [("\na = h", "\n    a = h"), ("\nb = tf", "\n    b = tf")],
    ),
    "a helper that gives back the tape": (
        "computed-after-tape",
        """\
        def forward(w):
            with tf.GradientTape() as tape:
                h = w * w
            return tape, h
        w = tf.Variable(0.5)
        tape, h = forward(w)
        y = tf.sin(h)
        tape.gradient(y, w)
        """,
        [("h = w * w\n", "h = tf.sin(w * w)\n"), ("y = tf.sin(h)", "y = h")],
    ),
    "a helper that computes after its block": (
        "computed-after-tape",
        """\
        def forward(w):
            with tf.GradientTape() as tape:
                h = w * w
            return tape, tf.sin(h)
        w = tf.Variable(0.5)
        tape, y = forward(w)
        tape.gradient(y, w)
        """,
        [("h = w * w\n    return tape, tf.sin(h)", "h = tf.sin(w * w)\n    return tape, h")],
    ),
    "each turn's block, and a line after it": (
        "computed-after-tape",
        """\
        w = tf.Variable(0.5)
        for x in [1.0, 2.0]:
            with tf.GradientTape() as tape:
                h = w * w
            y = h * x
            tape.gradient(y, w)
        """,
        [("\n    y = h", "\n        y = h")],
    ),
    "the turns' losses, added up after the loop": (
        "computed-after-tape",
        """\
        w = tf.Variable(0.5)
        parts = []
        for x in [1.0, 2.0]:
            with tf.GradientTape() as tape:
                parts.append(w * w * x)
        y = tf.add_n(parts)
        tape.gradient(y, w)
        """,
        [("with tf.GradientTape() as tape:", "if True:"), ("\ny =", "\n  y ="),
         ("\nfor", "\nwith tf.GradientTape() as tape:\n  for")],
    ),
    "a first derivative after the outer block": (
        "second-order-not-recorded",
        """\
        x = tf.Variable(2.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x ** 3
        slope = inner.gradient(y, x)
        outer.gradient(slope, x)
        """,
        [("\nslope", "\n    slope")],
    ),
    "a first derivative before the outer block": (
        "second-order-not-recorded",
        """\
        x = tf.Variable(2.0)
        with tf.GradientTape() as inner:
            y = x ** 3
        slope = inner.gradient(y, x)
        with tf.GradientTape() as outer:
            z = slope ** 2
        outer.gradient(z, x)
        """,
        [("with tf.GradientTape() as outer:\n", ""), ("\nwith", "\nwith tf.GradientTape() as outer:\n  with"),
         ("slope = i", "  slope = i"), ("    z =", "  z =")],
    ),
    "a first derivative while the outer tape pauses": (
        "stop-recording",
        """\
        x = tf.Variable(2.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x ** 3
            with outer.stop_recording():
                slope = inner.gradient(y, x)
        outer.gradient(slope, x)
        """,
        [("with outer.stop_recording():", "if True:")],
    ),
    "what was taken apart": (
        "source-is-copy",
        """\
        w = tf.Variable([2.0, 3.0])
        rows = tf.unstack(w)
        with tf.GradientTape() as tape:
            y = w[0] * w[0] * w[1]
        g = tape.gradient(y, rows)
        """,
        [("g = tape.gradient(y, rows)", "g = tape.gradient(y, w)")],
    ),
    "what was put together": (
        "source-is-copy",
        """\
        a, b = tf.Variable([2.0]), tf.Variable([3.0, 5.0])
        flat = tf.concat([a, b], axis=0)
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(a) * tf.reduce_sum(b)
        g = tape.gradient(y, flat)
        """,
        [("flat = tf.concat([a, b], axis=0)\n", ""),
         ("y = tf.reduce_sum(a) * tf.reduce_sum(b)",
          "flat = tf.concat([a, b], axis=0); y = flat[0] * (flat[1] + flat[2])")],
    ),
    "a stretch under a name of its own": (
        "source-is-copy",
        """\
        x = tf.Variable([2.0, 3.0, 4.0])
        first = x[:2]
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x ** 3)
        g = tape.gradient(y, first)
        """,
        [("first = x[:2]\n", "first = tf.Variable([2.0, 3.0])\n"), ("x ** 3", "first ** 3")],
    ),
    "the other model": (
        "other-model",
        """\
        class Line(tf.Module):
            def __init__(self, start):
                self.w = tf.Variable(start)
            def __call__(self, x):
                return self.w * x
        student, teacher = Line(2.0), Line(3.0)
        with tf.GradientTape() as tape:
            loss = (teacher(2.0) - 1.0) ** 2
        tape.gradient(loss, student.trainable_variables)
        """,
        [("teacher(2.0)", "student(2.0)")],
    ),
    "a lambda that looks up the last": (
        "late-binding",
        """\
        ws = [tf.Variable(2.0), tf.Variable(3.0)]
        parts = []
        for w in ws:
            parts.append(lambda x: w * x ** 2)
        with tf.GradientTape() as tape:
            y = parts[0](3.0)
        tape.gradient(y, ws[0])
        """,
        [("lambda x:", "lambda x, w=w:")],
    ),
    "a function that looks up the last": (
        "late-binding",
        """\
        ws = [tf.Variable(2.0), tf.Variable(3.0)]
        parts = []
        for w in ws:
            def part(x: float) -> tf.Tensor:
                return w * x ** 2  # of its turn
            parts.append(part)
        with tf.GradientTape() as tape:
            y = parts[0](3.0)
        tape.gradient(y, ws[0])
        """,
        [("x: float", "x: float, w=w")],
    ),
    "the rows of a dataset in the head of a comprehension": (
        "dataset",
        """\
        w = tf.Variable([2.0, 3.0])
        with tf.GradientTape() as tape:
            y = sum([v * v for v in tf.data.Dataset.from_tensor_slices(w * w)])
        tape.gradient(y, w)
        """,
        [("tf.data.Dataset.from_tensor_slices(w * w)", "w * w")],
    ),
    "floats in the head of a comprehension": (
        "python-scalar",
        """\
        ws = [tf.Variable(2.0), tf.Variable(3.0)]
        with tf.GradientTape() as tape:
            y = tf.add_n([tf.constant(5.0) * v * v for v in map(float, ws)])
        tape.gradient(y, ws)
        """,
        [("map(float, ws)", "ws")],
    ),
    "a list of NumPy's in the head of a comprehension": (
        "numpy-roundtrip",
        """\
        w = tf.Variable([2.0, 3.0])
        with tf.GradientTape() as tape:
            y = tf.add_n([tf.constant(5.0) * v for v in (w * w).numpy().tolist()])
        tape.gradient(y, w)
        """,
        [("(w * w).numpy().tolist()", "w * w")],
    ),
}  # fmt: skip


def _written(text: str, folder: Path) -> Path:
    script = folder / "lesson.py"
    script.write_text(f"import numpy as np\nimport minitape as tf\n{text}", encoding="utf-8")
    return script


def _found(script: Path, slug: str) -> tuple[int, Finding]:
    """The first finding of this cause after all fixes were tried, and the call to which it belongs."""
    report, _ = checked(script)
    for number, call in enumerate(report.calls, start=1):
        for finding in (each for source in call.sources for each in source.findings):
            if finding.slug == slug:
                return number, finding
    raise AssertionError(report)


@pytest.mark.parametrize("name", SCRIPTS)
def test_fixed_gradient_equals_that_of_a_teachers_script(name: str, tmp_path: Path) -> None:
    slug, text, changes = SCRIPTS[name]
    text = textwrap.dedent(text)
    number, finding = _found(_written(text, tmp_path), slug)
    assert finding.proof is not None, finding.unproved
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    by_hand = run(_written(text, tmp_path))
    assert by_hand.ok, by_hand.error
    wanted = next(each for each in by_hand.trace.of(ResultEvent) if each.call == number)
    assert wanted.numbers is not None
    data = wanted.numbers.data
    if name in ("a slice as the source", "what was taken apart"):
        data = data[0]
    np.testing.assert_allclose(finding.proof.gradient["data"], data, rtol=1e-6)


CELLS = {
    "within one cell": (
        ["import numpy as np\nimport minitape as tf\n", "w = tf.Variable(3.0)",
         "with tf.GradientTape() as tape:\n    y = tf.convert_to_tensor(np.square(w)) * 2.0",
         "tape.gradient(y, w)"],
        "`tf.square(w)` instead of `np.square(w)`",
        12.0,
    ),
    "from one cell into another": (
        ["import minitape as tf\n", "w = tf.Variable(3.0)\nh = w * w",
         "print('between')\nwith tf.GradientTape() as tape:\n    y = h * 2.0",
         "tape.gradient(y, w)"],
        "line 2 of <cell 2> moved into the `with` block",
        12.0,
    ),
    "back into an earlier cell": (
        ["import minitape as tf\n", "w = tf.Variable(3.0)",
         "with tf.GradientTape() as tape:\n    h = w * w",
         "y = h * 3.0", "tape.gradient(y, w)"],
        "line 1 of <cell 4> moved into the `with` block",
        18.0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CELLS)
def test_notebook_is_fixed_cell_by_cell(name: str, tmp_path: Path) -> None:
    cells, said, derivative = CELLS[name]
    path = tmp_path / "lesson.ipynb"
    written = [{"cell_type": "code", "source": cell} for cell in cells]
    path.write_text(json.dumps({"cells": written}), encoding="utf-8")
    report, _ = checked(path)
    (finding,) = report.calls[0].sources[0].findings
    assert finding.proof is not None, finding.unproved
    assert (finding.proof.tried, finding.proof.gradient["data"]) == (said, derivative)


def test_mistake_in_imported_module_is_not_fixed_and_reason_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "squares_of_others.py").write_text(
        "import numpy as np\ndef square(x):\n    return np.square(x)\n", encoding="utf-8"
    )
    text = """\
        from squares_of_others import square
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.convert_to_tensor(square(w)) * 2.0
        tape.gradient(y, w)
        """
    _, finding = _found(_written(textwrap.dedent(text), tmp_path), "numpy-roundtrip")
    assert finding.unproved == (
        "only the script itself can be fixed automatically, not squares_of_others.py"
    )


def test_fix_that_changes_values_is_rejected(tmp_path: Path) -> None:
    """The variable is also read under another name, where it would keep the old value."""
    text = """\
        w, state = tf.Variable(2.0), tf.Variable(3.0)
        states = [state]
        with tf.GradientTape() as tape:
            state.assign(w * w)
            y = states[0] * 10.0 + state
        tape.gradient(y, w)
        """
    _, finding = _found(_written(textwrap.dedent(text), tmp_path), "state-assign")
    assert finding.proof is None
    assert finding.unproved.startswith("not applied automatically: no rule covers this case")


def test_each_cause_has_a_fix_or_a_reason_for_having_none() -> None:
    without_a_reason = {slug for slug, cause in CAUSES.items() if not cause.by_hand}
    assert {cause.slug for cause in FIXES} == without_a_reason


def test_reason_is_reported_if_nothing_can_be_fixed(tmp_path: Path) -> None:
    text = "w, v = tf.Variable(3.0), tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = v * v\ntape.gradient(y, w)\n"
    finding = _found(_written(text, tmp_path), "unconnected")[1]
    assert (finding.proof, finding.unproved) == (
        None,
        "what should depend on the source instead cannot be inferred from the script",
    )


def test_fix_that_exposes_another_cause_reports_what_remains(tmp_path: Path) -> None:
    text = """\
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            h = np.square(w)
            y = tf.cast(tf.constant(1.0) * h > 3.0, tf.float32)
        tape.gradient(y, w)
        """
    _, finding = _found(_written(textwrap.dedent(text), tmp_path), "numpy-roundtrip")
    assert finding.proof is None
    assert finding.unproved == (
        "`tf.square(w)` instead of `np.square(w)` is not enough; line 6 still loses the gradient "
        "(not applied automatically: no rule covers this case, so fix it by hand)"
    )
