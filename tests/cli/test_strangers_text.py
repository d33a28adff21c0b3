"""Source text, names and messages of strangers, which may steer a terminal: no command repeats them raw."""

from pathlib import Path
from typing import Any

import pytest
from strangers import HOSTILE, steering

SCRIPT = f"""\
import numpy as np
import tensorflow as tf

w = tf.Variable(2.0, name={HOSTILE!a})
v = tf.Variable(2.0, name="v")
with tf.GradientTape() as tape:
    y = tf.square(w, name="{HOSTILE}")  # {HOSTILE}
    loss = tf.reduce_sum(np.square(y, dtype={{"a": None, "{HOSTILE}": 1}}["a"])) + v  # {HOSTILE}

tape.gradient(loss, [w, v])  # {HOSTILE}
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "hostile.py"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


@pytest.mark.parametrize("options", [(), ("--brief",), ("--format", "github"), ("--json",)])
def test_explain_shows_no_character_of_a_source_that_steers_a_terminal(
    minitape: Any, script: Path, options: tuple[str, ...]
) -> None:
    ran = minitape("explain", script, *options)
    assert ran.exit_code == 1
    assert "MT201" in ran.stdout
    assert steering(ran.stdout) == steering(ran.stderr) == []


def test_the_mark_stands_below_its_expression_in_a_line_with_control_characters(
    minitape: Any, tmp_path: Path
) -> None:
    path = tmp_path / "hostile.py"
    path.write_text(
        "import numpy as np\nimport minitape as tf\nw = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n"
        "    s, y = '\x1b[31m\u202e\x07', tf.constant(np.square(w))\ntape.gradient(y, w)\n",
        encoding="utf-8",
    )
    lines = minitape("explain", path).stdout.splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("5 | "))
    assert lines[at] == "5 |     s, y = '·[31m··', tf.constant(np.square(w))"
    start = lines[at + 1].index("^")
    assert lines[at][start:].startswith("np.square(w)")
