"""The gradients exist after advice is applied exactly as printed: text is replaced or lines are moved, and nothing else.

Each case has a program, a part of the printed advice that must appear word for word, and the edit that a person makes. The edited
program prints its gradients next to central differences, on minitape and on TensorFlow.
"""

import io
import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from traced import run

from minitape.explain.explain import explain
from minitape.fixes.suggestions import suggested

# Follows each program: `loss(*sources)` must compute the target again from the current values of the sources.
_COMPARE = """
import json
import numpy as _np

def _differences(source):
    start = source.numpy().astype("float64")
    found = _np.zeros_like(start)
    for at in _np.ndindex(start.shape):
        ends = []
        for step in (1e-2, -1e-2):
            moved = start.copy()
            moved[at] += step
            source.assign(moved.astype("float32"))
            ends.append(float(tf.reduce_sum(loss()[0])))
        found[at] = (ends[0] - ends[1]) / 2e-2
    source.assign(start.astype("float32"))
    return found

target, tape = loss()
values = tf.reshape(target, [-1]).numpy().tolist()
gradient = tape.gradient(target, w)
is_none = gradient is None
print(json.dumps({
    "target": values,
    "gradient": None if is_none else tf.convert_to_tensor(gradient).numpy().tolist(),
    "differences": _differences(w).tolist(),
}))
"""


class Case(NamedTuple):
    """A program whose function `loss` returns a target and its tape, and one printed fix."""

    program: str
    printed: str
    edit: tuple[tuple[str, str], ...]
    # Elements that lie on the point where the derivative is infinite: differences cannot confirm them.
    singular: tuple[int, ...] = ()
    keeps_result: bool = False


def _program(body: str, before: str = "w = tf.Variable([1.0, 2.0])") -> str:
    text = textwrap.indent(textwrap.dedent(body).strip(), "    ")
    return f"import tensorflow as tf\n{before}\ndef loss():\n{text}\n    return y, tape\n"


_LAYER = """tf.keras.utils.set_random_seed(0)
layer = tf.keras.layers.Dense(2)
layer.build((None, 2))
w = layer.kernel"""

CASES = {
    "a function of NumPy under another name": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(onp.square(w * 3.0))
            """,
            "import numpy as onp\nw = tf.Variable([1.0, 2.0])",
        ),
        "use `tf.square(w * 3.0)` instead of `onp.square(w * 3.0)`",
        (("onp.square(w * 3.0)", "tf.square(w * 3.0)"),),
        keeps_result=True,
    ),
    "a function of NumPy imported alone": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(root(w * 3.0))
            """,
            "from numpy import sqrt as root\nw = tf.Variable([1.0, 2.0])",
        ),
        "use `tf.sqrt(w * 3.0)` instead of `root(w * 3.0)`",
        (("root(w * 3.0)", "tf.sqrt(w * 3.0)"),),
        keeps_result=True,
    ),
    "NumPy functions around a NumPy function": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                part = np.sum(np.square(w * 3.0))
                whole = np.sum(np.square(w - np.mean(w)))
                y = tf.constant(part / whole)
            """,
            "import numpy as np\nw = tf.Variable([1.0, 2.5])",
        ),
        "`tf.reduce_sum(tf.square(w - tf.reduce_mean(w)))` instead of `np.sum(np.square(w - np.mean(w)))` (line 7)",
        (
            ("np.sum(np.square(w * 3.0))", "tf.reduce_sum(tf.square(w * 3.0))"),
            (
                "np.sum(np.square(w - np.mean(w)))",
                "tf.reduce_sum(tf.square(w - tf.reduce_mean(w)))",
            ),
        ),
        keeps_result=True,
    ),
    "an array of another array, used on a later line": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                p = tf.sigmoid(w).numpy()
                pt = np.where(w > 1.5, p, 1.0 - p)
                y = tf.reduce_sum(-((1.0 - pt) ** 2) * np.log(pt))
            """,
            "import numpy as np\nw = tf.Variable([1.0, 2.5])",
        ),
        "write `p = tf.sigmoid(w)` (line 6), and use `tf.where(w > 1.5, p, 1.0 - p)` instead of `np.where(w > 1.5, p, 1.0 - p)` "
        "(line 7) and `tf.math.log(pt)` instead of `np.log(pt)` (line 8)",
        (
            ("p = tf.sigmoid(w).numpy()", "p = tf.sigmoid(w)"),
            ("np.where(w > 1.5, p, 1.0 - p)", "tf.where(w > 1.5, p, 1.0 - p)"),
            ("np.log(pt)", "tf.math.log(pt)"),
        ),
        keeps_result=True,
    ),
    "a NumPy function around a converted tensor": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                q = onp.exp(w.numpy())
                y = tf.reduce_sum(q)
            """,
            "import numpy as onp\nw = tf.Variable([1.0, 2.0])",
        ),
        "write `q = tf.exp(w)`",
        (("q = onp.exp(w.numpy())", "q = tf.exp(w)"),),
        keeps_result=True,
    ),
    "methods of an array that NumPy makes of a tensor": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                a = np.asarray(w * 3.0)
                y = tf.constant((a ** 2).sum())
            """,
            "import numpy as np\nw = tf.Variable([1.0, 2.0])",
        ),
        "use `w * 3.0` instead of `np.asarray(w * 3.0)` (line 6) and",
        (("np.asarray(w * 3.0)", "w * 3.0"), ("(a ** 2).sum()", "tf.reduce_sum(a ** 2)")),
        keeps_result=True,
    ),
    "a method of arithmetic with a converted tensor": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                y = tf.constant((w.numpy() ** 2).mean())
            """
        ),
        "write `y = tf.reduce_mean(w ** 2)` (line 5)",
        (("y = tf.constant((w.numpy() ** 2).mean())", "y = tf.reduce_mean(w ** 2)"),),
        keeps_result=True,
    ),
    "one of the weights of a layer as an array": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                kernel = tf.constant(layer.get_weights()[0])
                y = tf.reduce_sum(kernel ** 2)
            """,
            _LAYER,
        ),
        "write `kernel = layer.weights[0]` (line 8)",
        (("kernel = tf.constant(layer.get_weights()[0])", "kernel = layer.weights[0]"),),
        keeps_result=True,
    ),
    "all weights of a layer as arrays": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                kernel, bias = layer.get_weights()
                y = tf.reduce_sum((kernel ** 2).mean(axis=0) + bias)
            """,
            _LAYER,
        ),
        "write `kernel, bias = layer.weights` (line 8)",
        (
            ("kernel, bias = layer.get_weights()", "kernel, bias = layer.weights"),
            ("(kernel ** 2).mean(axis=0)", "tf.reduce_mean(kernel ** 2, axis=0)"),
        ),
        keeps_result=True,
    ),
    "a loop over the weights of a layer as arrays": Case(
        _program(
            """
            y = 0.0
            with tf.GradientTape() as tape:
                for each in layer.get_weights():
                    y += tf.reduce_sum(tf.square(each))
            """,
            _LAYER,
        ),
        "write `for each in layer.weights:` (line 9)",
        (("for each in layer.get_weights():", "for each in layer.weights:"),),
        keeps_result=True,
    ),
    "elements that NumPy takes": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(np.take(w * 3.0, [0, 0, 2]) ** 2)
            """,
            "import numpy as np\nw = tf.Variable([1.0, 2.0, 3.0])",
        ),
        "use `tf.gather(w * 3.0, [0, 0, 2])` instead of `np.take(w * 3.0, [0, 0, 2])`",
        (("np.take(w * 3.0, [0, 0, 2])", "tf.gather(w * 3.0, [0, 0, 2])"),),
        keeps_result=True,
    ),
    "elements of a matrix that NumPy takes": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(np.take(w * 3.0, [0, 3]) ** 2)
            """,
            "import numpy as np\nw = tf.Variable([[1.0, 2.0], [3.0, 4.0]])",
        ),
        "use `tf.gather(tf.reshape(w * 3.0, [-1]), [0, 3])` instead of `np.take(w * 3.0, [0, 3])`",
        (("np.take(w * 3.0, [0, 3])", "tf.gather(tf.reshape(w * 3.0, [-1]), [0, 3])"),),
        keeps_result=True,
    ),
    "columns that NumPy takes": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(np.take(w, [1, 0, 1], axis=1)[:, 0] ** 2)
            """,
            "import numpy as np\nw = tf.Variable([[1.0, 2.0], [3.0, 4.0]])",
        ),
        "use `tf.gather(w, [1, 0, 1], axis=1)` instead of `np.take(w, [1, 0, 1], axis=1)`",
        (("np.take(w, [1, 0, 1], axis=1)", "tf.gather(w, [1, 0, 1], axis=1)"),),
        keeps_result=True,
    ),
    "an array beside the tensor that was created from it": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                y = f(x)
            """,
            "import numpy as np\ndef f(v):\n    return tf.reduce_sum(tf.sin(v) * v)\n"
            "x = np.array([1.0, 2.0], np.float32)\nw = tf.Variable(x)",
        ),
        "use `f(w)` instead of `f(x)` (line 9)",
        (("f(x)", "f(w)"),),
        keeps_result=True,
    ),
    "an index from NumPy": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                i = np.argmax(w * 2.0)
                y = tf.cast(i, tf.float32) * 3.0
            """,
            "import numpy as np\nw = tf.Variable([1.0, 1.5])",
        ),
        "use `tf.reduce_sum(tf.nn.softmax(w * 2.0) * tf.range(2.0))` instead of `np.argmax(w * 2.0)`",
        (("np.argmax(w * 2.0)", "tf.reduce_sum(tf.nn.softmax(w * 2.0) * tf.range(2.0))"),),
    ),
    "a lookup of the best row": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                ids = tf.argmax(x @ w, axis=1)
                y = tf.reduce_sum(tf.gather(table, ids) ** 2)
            """,
            "table = tf.constant([[1.0, 2.0], [3.0, -1.0], [0.5, 0.0]])\nx = tf.constant([[1.0, 0.5]])\n"
            "w = tf.Variable([[0.1, 0.4, -0.2], [0.3, 0.2, 0.6]])",
        ),
        "instead of `tf.gather(table, ids)`",
        (("tf.gather(table, ids)", "tf.tensordot(tf.nn.softmax(x @ w), table, 1)"),),
    ),
    "three lines before the block": Case(
        _program(
            """
            pred = w * 3.0
            scaled = pred * 2.0
            err = scaled - 1.0
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(err ** 2)
            """
        ),
        "move lines 4, 5 and 6 into the `with` block, in this order",
        (
            ("    pred = w * 3.0\n    scaled = pred * 2.0\n    err = scaled - 1.0\n", ""),
            (
                "as tape:\n",
                "as tape:\n        pred = w * 3.0\n        scaled = pred * 2.0\n        err = scaled - 1.0\n",
            ),
        ),
        keeps_result=True,
    ),
    "one line before the block": Case(
        _program(
            """
            pred = w * 3.0
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(pred ** 2)
            """
        ),
        "move line 4 into the `with` block",
        (
            ("    pred = w * 3.0\n", ""),
            ("as tape:\n", "as tape:\n        pred = w * 3.0\n"),
        ),
        keeps_result=True,
    ),
    "a power between 0 and 1": Case(
        _program(
            """
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(tf.pow(w, gamma))
            """,
            "gamma = 0.45\nw = tf.Variable([0.0, 0.5])",
        ),
        "use `tf.where(w > 0.0, tf.pow(tf.where(w > 0.0, w, 1.0), gamma), 0.0)`",
        (("tf.pow(w, gamma)", "tf.where(w > 0.0, tf.pow(tf.where(w > 0.0, w, 1.0), gamma), 0.0)"),),
        singular=(0,),
        keeps_result=True,
    ),
}


def _edited(case: Case) -> str:
    text = case.program
    for old, new in case.edit:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("name", CASES)
def test_advice_is_printed_as_it_is_typed(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    script = tmp_path / "broken.py"
    script.write_text(f"{case.program}target, tape = loss()\ntape.gradient(target, w)\n")
    trace = run(script).trace
    report = suggested(explain(trace), trace)
    fixes = [
        finding.fix
        for call in report.calls
        for source in call.sources
        for finding in source.findings
    ]
    assert fixes and case.printed in fixes[0]
    for _, new in case.edit:
        if new and "\n" not in new:
            assert f"`{new}`" in fixes[0]


def _check(case: Case, printed: Callable[[Path], str], tmp_path: Path) -> None:
    """Check the gradient of the edited program, and its result.

    Args:
        case: The program and the edit.
        printed: Runs a script, and returns what it prints.
        tmp_path: An empty folder.
    """

    def result(name: str, program: str) -> Any:
        script = tmp_path / f"{name}.py"
        script.write_text(program)
        return json.loads(printed(script).strip().splitlines()[-1])

    found = result("typed", _edited(case) + _COMPARE)
    assert found["gradient"] is not None
    gradient = np.ravel(np.asarray(found["gradient"], float))
    differences = np.ravel(np.asarray(found["differences"], float))
    assert np.isfinite(gradient).all() and np.abs(gradient).max() < 1e3 and gradient.any()
    checked = [at for at in range(gradient.size) if at not in case.singular]
    np.testing.assert_allclose(gradient[checked], differences[checked], rtol=2e-2, atol=2e-2)
    if case.keeps_result:
        before = result(
            "before", f"{case.program}print(tf.reshape(loss()[0], [-1]).numpy().tolist())\n"
        )
        np.testing.assert_allclose(found["target"], before, rtol=1e-6)


def _printed_on_minitape(script: Path) -> str:
    printed = io.StringIO()
    ran = run(script, on="minitape", stdout=printed)
    assert ran.error is None, ran.error
    return printed.getvalue()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CASES)
def test_typed_program_has_its_gradients(name: str, tmp_path: Path) -> None:
    _check(CASES[name], _printed_on_minitape, tmp_path)


@pytest.mark.tensorflow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", CASES)
def test_typed_program_has_its_gradients_on_tensorflow(
    name: str, tmp_path: Path, copied: Callable[[Path], str]
) -> None:
    _check(CASES[name], copied, tmp_path)
