"""Draw the pictures in this folder: `python docs/images/make.py`.

Each picture shows a small program, drawn as by `minitape graph`. PNG needs a layout program (`pip install graphviz-pure`).
"""

import tempfile
from pathlib import Path

from minitape import draw
from minitape.explain.explain import explain
from minitape.run.options import RunOptions
from minitape.run.process import run
from minitape.run.program import of_file
from minitape.terms import labels

HERE = Path(__file__).parent

HEALTHY = """\
import tensorflow as tf

W = tf.Variable([[0.5], [-1.0], [0.8]], name="W")
b = tf.Variable(0.5, name="b")
x = tf.constant([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0], [2.0, 0.0, 1.0]])
y = tf.constant([[1.0], [0.0], [1.0], [2.0]])
with tf.GradientTape() as tape:
    err = x @ W + b - y
    loss = tf.reduce_mean(err ** 2)
grads = tape.gradient(loss, [W, b])
"""

BROKEN = """\
import numpy as np
import tensorflow as tf

x = tf.Variable(3.0, name="x")
w = tf.Variable(0.5, name="w")
with tf.GradientTape() as tape:
    a = x ** 2
    q = np.sin(w)
    loss = a * q
grads = tape.gradient(loss, [x, w])
"""

LOOP = """\
import tensorflow as tf

tf.random.set_seed(1)
xs = tf.random.normal((400, 1, 8))
Wh = tf.Variable(tf.random.normal((16, 16)) * 0.25, name="Wh")
Wx = tf.Variable(tf.random.normal((8, 16)) * 0.1, name="Wx")
with tf.GradientTape() as tape:
    h = tf.zeros((1, 16))
    for t in range(400):
        h = tf.tanh(h @ Wh + xs[t] @ Wx)
    loss = tf.reduce_mean(h)
grads = tape.gradient(loss, [Wh, Wx])
"""

BACKWARD = """\
import tensorflow as tf

x = tf.Variable(3.0, name="x")
with tf.GradientTape() as tape:
    a = x ** 2
    p = x * 4.0
    q = a * 4.0
    z = p + q
grad = tape.gradient(z, x)
"""

NAN = """\
import tensorflow as tf

x = tf.Variable([4.0, 1.0, 0.0, -2.0], name="x")
with tf.GradientTape() as tape:
    root = tf.sqrt(x)
    scaled = root * 2.0
    loss = tf.reduce_mean(scaled)
grad = tape.gradient(loss, x)
"""

LAYERS = """\
import tensorflow as tf

tf.random.set_seed(0)
weights = [tf.Variable(tf.random.normal((4, 4)) * 0.5, name=f"w{i}") for i in range(8)]


def block(h, w):
    a = tf.nn.softmax(h @ w) * h
    return tf.tanh(a - tf.reduce_mean(a)) + h


h = tf.random.normal((8, 4))
with tf.GradientTape() as tape:
    h = block(h, weights[0])
    h = block(h, weights[1])
    h = block(h, weights[2])
    loss = tf.reduce_sum(h * h)
grads = tape.gradient(loss, weights[:3])
"""

TERMS = """\
import tensorflow as tf

x = tf.Variable(3.0, name="x")
w = tf.Variable(2.0, name="w")
with tf.GradientTape() as tape:
    y = x * w
    z = tf.sin(y) + y * y
grads = tape.gradient(z, [x, w])
"""

# For each file: the program, the options of the picture, and whether it has a legend.
PICTURES: dict[str, tuple[str, dict[str, object], bool]] = {
    "healthy": (HEALTHY, {}, False),
    "broken": (BROKEN, {}, False),
    "rolled-loop": (LOOP, {}, False),
    "backward": (BACKWARD, {"view": "backward"}, False),
    "nan": (NAN, {}, False),
    "focus": (HEALTHY, {"around": 3, "hops": 1}, False),
    "closed-functions": (LAYERS, {"close": ["block"]}, False),
    "legend": (BROKEN, {"view": "both"}, True),
    "terms": (TERMS, {"view": "backward"}, False),
}
WITH_TERMS = {"terms"}


def main() -> None:
    """Write each picture in a light and in a dark theme."""
    for name, (code, run_options, has_legend) in PICTURES.items():
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "train.py"
            script.write_text(code, encoding="utf-8")
            trace = run(of_file(script), run_options=RunOptions(on="minitape")).trace
        report = explain(trace)
        terms = labels(trace, report) if name in WITH_TERMS else None
        picture = draw.picture(trace, report, terms=terms, **run_options)  # type: ignore[arg-type] # one table for options of several types
        for theme in ("light", "dark"):
            drawn = draw.render(picture, "png", theme=theme, legend=has_legend)
            (HERE / f"{name}.{theme}.png").write_bytes(drawn.data)


if __name__ == "__main__":
    main()
