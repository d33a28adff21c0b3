"""A program of twice the size takes at most about twice the steps, from its run to its explanation."""

from pathlib import Path

import pytest
from test_source_text import calls
from traced import traced

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
SIZES = {
    "lines": (lambda n: "n = 1\n" * n + LOST, 2_000),
    "line": (lambda n: LOST.replace("w =", f"long = '{'a' * n}'; w ="), 100_000),
    "terms": (lambda n: LOST.replace("(y))", f"(y) + {' + '.join(['1.0'] * n)})"), 200),
    "depth": (lambda n: DEEP.replace("tf.square(w)", f"f(w, {n})"), 100),
    "ops": (lambda n: OPS.format(n), 200),
}


@pytest.mark.parametrize("size", SIZES)
def test_doubling_the_size_doubles_the_steps(tmp_path: Path, size: str) -> None:
    program, n = SIZES[size]

    def steps(n: int) -> int:
        reports = []
        count = calls(lambda: reports.append(traced(program(n), tmp_path).report))
        assert not reports[0].ok
        return count

    steps(n // 10)  # what is loaded or kept at the first use
    assert steps(2 * n) < 2.5 * steps(n)
