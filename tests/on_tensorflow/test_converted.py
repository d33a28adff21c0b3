"""Functions that AutoGraph has converted: findings refer to the user's own lines and quote the user's own code."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.timeout(300)]

BEFORE = """\
import tensorflow as tf

w = tf.Variable(2.0)


def f(x):
    if x > 1.0:
        y = tf.floor(x * w)
    else:
        y = x
    return y


converted = tf.autograph.to_graph(f)
with tf.GradientTape() as tape:
    y = converted(tf.constant(3.0))
tape.gradient(y, w)
"""
LEGACY = """\
import numpy as np
import tensorflow as tf
import tf_keras


def accuracy_loss(y_true, y_pred):
    labels = tf.cast(tf.squeeze(y_true, -1), tf.int64)
    hits = tf.cast(tf.argmax(y_pred, axis=-1) == labels, tf.float32)
    return 1.0 - tf.reduce_mean(hits)


x = np.random.RandomState(0).rand(32, 4).astype("float32")
y = np.random.RandomState(1).randint(0, 3, (32, 1))
model = tf_keras.Sequential([tf_keras.layers.Dense(3, activation="softmax")])
model.compile("adam", accuracy_loss)
model.fit(x, y, epochs=1, verbose=0)
"""


def _explained(python: Any, folder: Path, program: str) -> str:
    (folder / "program.py").write_text(program)
    return python("-m", "minitape_cli", "explain", "program.py", "--on", "tensorflow").stdout


def test_converted_function_is_quoted_as_written(python: Any, tmp_path: Path) -> None:
    answer = _explained(python, tmp_path, BEFORE)
    assert "--> program.py:8:13" in answer
    assert "`tf.floor(x * w)` on line 8" in answer
    assert "ag__" not in answer


def test_loss_function_of_fit_in_keras_2(python: Any, tmp_path: Path) -> None:
    if python("-c", "import tf_keras").returncode:
        pytest.skip("tf_keras is not installed")
    answer = _explained(python, tmp_path, LEGACY)
    assert "--> program.py:8:20" in answer
    assert "`tf.argmax(y_pred, axis=-1)` on line 8" in answer
    assert "ag__" not in answer
