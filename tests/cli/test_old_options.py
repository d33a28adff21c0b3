"""Options that had another name before the first release go on working, and no help names them."""

from typing import Any

import pytest

SCRIPT = """import tensorflow as tf

x = tf.Variable(2.0)
for _ in range(3):
    with tf.GradientTape() as tape:
        y = tf.floor(x)
    print(tape.gradient(y, x))
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [(("--listen", 2), ("--trace-calls", 2)), (("--why-sure",), ("--evidence",))],
    ids=["trace-calls", "evidence"],
)
def test_the_old_name_does_the_same(
    minitape: Any, written: Any, old: tuple[Any, ...], new: tuple[Any, ...]
) -> None:
    script = written(SCRIPT)
    before = minitape("explain", script, "--as-tensorflow", *old)
    after = minitape("explain", script, "--as-tensorflow", *new)
    assert (before.exit_code, before.stdout) == (after.exit_code, after.stdout)
    assert after.exit_code == 1
    plain = minitape("explain", script, "--as-tensorflow")
    assert (after.stdout, after.stderr) != (plain.stdout, plain.stderr)


@pytest.mark.parametrize("name", ["--listen", "--why-sure"])
def test_no_help_names_it(minitape: Any, name: str) -> None:
    assert name not in minitape("explain", "--help").stdout
