"""A program of twice the size takes at most about twice the steps, from its run to its explanation."""

from pathlib import Path

import pytest
from test_source_text import calls
from traced import traced

from minitape.fixes.suggestions import suggested
from minitape.trace.events import SourceEvent

LOST = """\
import numpy as np
import minitape as tf
w = tf.Variable(0.5)
with tf.GradientTape() as tape:
    y = tf.square(w)
    loss = tf.reduce_sum(np.square(y))
tape.gradient(loss, w)
"""
OPS = LOST.replace("    loss", "    for _ in range({}):\n        y = tf.sin(y)\n    loss")
DEEP = LOST.replace("with", "def f(x, n):\n    return x if n == 0 else f(tf.sin(x), n - 1)\nwith")
PLACES = LOST.replace("    loss", "{}    loss")
MISTAKES = "".join(
    f"with tf.GradientTape() as tape:\n    loss = tf.reduce_sum(np.{name}(w))\ntape.gradient(loss, w)\n"
    for name in ("square", "exp", "sin", "cos")
)
SIZES = {
    "places": (lambda n: PLACES.format("    y = tf.sin(y)\n" * n), 100),
    "lines": (lambda n: "n = 1\n" * n + LOST, 500),
    "line": (lambda n: LOST.replace("w =", f"long = '{'a' * n}'; w ="), 100_000),
    "terms": (lambda n: LOST.replace("(y))", f"(y) + {' + '.join(['1.0'] * n)})"), 200),
    "depth": (lambda n: DEEP.replace("tf.square(w)", f"f(w, {n})"), 100),
    "ops": (lambda n: OPS.format(n), 200),
}


def steps(text: str, folder: Path) -> int:
    """How many calls of functions it takes to run a program, to explain it, and to write out its fixes."""
    runs = []

    def work() -> None:
        run = traced(text, folder)
        runs.append((run, suggested(run.report, run.trace)))

    count = calls(work)
    ((run, report),) = runs
    assert not report.ok
    # The file had another text before. If this one had not been read, the steps would be those for the other.
    assert text in [each.text for each in run.of(SourceEvent)]
    return count


@pytest.mark.parametrize("size", SIZES)
def test_doubling_the_size_doubles_the_steps(tmp_path: Path, size: str) -> None:
    program, n = SIZES[size]
    steps(program(n // 10), tmp_path)  # what is loaded or kept at the first use
    assert steps(program(2 * n), tmp_path) < 2.5 * steps(program(n), tmp_path)


def test_doubling_the_mistakes_takes_at_most_four_times_the_steps(tmp_path: Path) -> None:
    """Each mistake is looked for once in the whole program, and not once for each of the others."""
    first = "import numpy as np\nimport minitape as tf\nw = tf.Variable(0.5)\n"

    def steps_to_explain(n: int) -> int:
        run = traced(first + n * MISTAKES, tmp_path)
        assert run.trace
        return calls(lambda: run.report)

    steps_to_explain(1)  # what is loaded or kept at the first use
    assert steps_to_explain(6) < 5 * steps_to_explain(3)
