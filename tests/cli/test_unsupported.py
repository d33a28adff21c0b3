"""If a script uses a name that minitape lacks, the name is reported, and the gradients before it are explained."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

LOST_THEN = """\
import tensorflow as tf
w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = tf.constant(w.numpy()) * 3.0
tape.gradient(loss, w)
{}
"""


@pytest.mark.parametrize(
    ("unknown", "hint"),
    [
        ("tf.reduce_summ(w)", "try : use `tf.reduce_sum`"),
        ("tf.nn.leaky_rel(w)", "try : use `tf.nn.leaky_relu`"),
        ("tf.math.sinn(w)", "try : use `tf.math.sin`"),
        ("tf.linalg.choleski(w)", "try : use `tf.linalg.cholesky`"),
        ("import tensorflow.lookup", "try : use a `dict` before the tape opens"),
        (
            "from tensorflow import distribute",
            "or  : run `minitape explain --on tensorflow SCRIPT`",
        ),
        ("tf.Session()", "`tf.Session` is a TensorFlow 1 API"),
        ("w.eval()", "try : use `v.numpy()`"),
    ],
)
def test_unknown_name_is_reported_and_earlier_gradients_are_explained(
    minitape: Any, write_script: Callable[..., Path], unknown: str, hint: str
) -> None:
    ran = minitape("explain", "--brief", "--as-tensorflow", write_script(LOST_THEN.format(unknown)))
    assert ran.exit_code == 1
    assert ran.stdout.startswith("lesson.py:4:24: MT201 gradient for w is None")
    assert hint in ran.stderr
    assert "MT902" in ran.stderr
