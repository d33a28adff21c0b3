"""Options that were renamed before the first release keep working under the old name, and no help lists it."""

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
def test_old_name_has_the_same_effect(
    minitape: Any, write_script: Any, old: tuple[Any, ...], new: tuple[Any, ...]
) -> None:
    script = write_script(SCRIPT)
    before = minitape("explain", script, "--as-tensorflow", *old)
    after = minitape("explain", script, "--as-tensorflow", *new)
    assert (before.exit_code, before.stdout) == (after.exit_code, after.stdout)
    assert after.exit_code == 1
    plain = minitape("explain", script, "--as-tensorflow")
    assert (after.stdout, after.stderr) != (plain.stdout, plain.stderr)


@pytest.mark.parametrize("name", ["--listen", "--why-sure"])
def test_help_does_not_list_the_old_name(minitape: Any, name: str) -> None:
    assert name not in minitape("explain", "--help").stdout
