"""The Keras call in which each op ran."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from minitape.errors import TraceError
from minitape.run.child import inside
from minitape.trace import events
from minitape.trace.reading import read
from minitape.trace.trace import Trace
from tests.traced import traced

ROOT = Path(__file__).parents[2]


def tree(trace: Trace) -> list[str]:
    """The scopes that contain ops of a tape or of `fit`, indented, each as role, name and type."""
    scopes = {each.number: each for each in trace.of(events.ScopeEvent)}
    with_ops = set()
    for op in trace.of(events.OpEvent):
        number = op.scope if op.tapes or (op.scope and scopes[op.scope].role == "metric") else None
        while number is not None:
            with_ops.add(number)
            number = scopes[number].outer
    lines = []
    for each in scopes.values():
        if each.number in with_ops:
            depth, outer = 0, each.outer
            while outer is not None:
                depth, outer = depth + 1, scopes[outer].outer
            lines.append("  " * depth + f"{each.role} {each.name} {each.type}".rstrip())
    return lines


def settings(trace: Trace, name: str) -> dict[str, Any]:
    return next(each.settings for each in trace.of(events.ScopeEvent) if each.name == name)


LAYERS = "import numpy as np\nL = tf.keras.layers\ntf.keras.utils.set_random_seed(0)\n"
CNN = """
    model = tf.keras.Sequential([
        L.Input((8, 8, 1)), L.Conv2D(4, 3, activation="relu"), L.MaxPooling2D(), L.Flatten(), L.Dense(3),
    ], name="net")
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    x, y = np.ones((6, 8, 8, 1), "float32"), np.arange(6) % 3
"""
LAYERS_OF_CNN = [
    "model net Sequential",
    "  layer conv2d Conv2D",
    "  layer max_pooling2d MaxPooling2D",
    "  layer flatten Flatten",
    "  layer dense Dense",
]
PROGRAMS = {
    "a loop": (
        CNN
        + """
    optimizer = tf.keras.optimizers.SGD(0.25, momentum=0.5)
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        slopes = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(slopes, model.trainable_variables))
    """,
        [*LAYERS_OF_CNN, "loss sparse_categorical_crossentropy SparseCategoricalCrossentropy"] * 2,
    ),
    "fit": (
        CNN
        + """
    model.compile("adam", loss_of, metrics=["accuracy"])
    model.fit(x, y, batch_size=6, epochs=1, verbose=0)
    """,
        [
            *LAYERS_OF_CNN,
            "loss compute_loss",
            "  loss sparse_categorical_crossentropy SparseCategoricalCrossentropy",
            *["metric loss Mean", "metric accuracy SparseCategoricalAccuracy"] * 3,
        ],
    ),
    "a nested model and a shared layer": (
        """
    inner = tf.keras.Sequential([L.Input((4,)), L.Dense(4, activation="tanh")], name="inner")
    a, b = L.Input((4,)), L.Input((4,))
    shared = L.Dense(3, name="shared")
    model = tf.keras.Model([a, b], L.Add(name="sum")([shared(inner(a)), shared(b)]), name="two")
    with tf.GradientTape() as tape:
        y = model([np.ones((2, 4), "float32"), np.ones((2, 4), "float32")])
    """,
        [
            "model two Functional",
            *["  model inner Sequential", "    layer dense Dense"],
            *["  layer shared Dense", "  layer shared Dense", "  layer sum Add"],
        ],
    ),
    "a user-defined layer in a user-defined model": (
        """
    class Block(L.Layer):
        def __init__(self):
            super().__init__()
            self.attention = L.MultiHeadAttention(2, 3)
            self.norm = L.LayerNormalization()
        def call(self, x):
            return self.norm(x * 2.0 + self.attention(x, x)) * 1.5
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.block, self.out = Block(), L.Dense(1)
        def call(self, x):
            return self.out(self.block(x))
    net = Net()
    net(np.ones((1, 2, 4), "float32"))
    with tf.GradientTape() as tape:
        y = net(np.ones((1, 2, 4), "float32"))
    """,
        [
            *["model net Net", "  layer block Block"],
            "    layer multi_head_attention MultiHeadAttention",
            *[f"      layer {name} EinsumDense" for name in ("query", "key", "value")],
            "      layer attention_output EinsumDense",
            *["    layer layer_normalization LayerNormalization", "  layer dense Dense"],
        ],
    ),
    "a user-defined metric and loss": (
        """
    class Distance(tf.keras.metrics.Metric):
        def __init__(self):
            super().__init__(name="distance")
            self.sum = self.add_weight(name="sum", initializer="zeros")
        def update_state(self, y, p, sample_weight=None):
            self.sum.assign_add(tf.reduce_mean(tf.abs(y - p)))
        def result(self):
            return self.sum * 1.0
    def squares(y, p):
        return tf.reduce_mean(tf.square(y - p), axis=-1)
    model = tf.keras.Sequential([L.Input((2,)), L.Dense(1)], name="net")
    model.compile("sgd", squares, metrics=[Distance()])
    model.fit(np.ones((2, 2), "float32"), np.ones((2, 1), "float32"), verbose=0)
    """,
        [
            *["model net Sequential", "  layer dense Dense", "loss compute_loss", "  loss squares"],
            *["metric loss Mean", "metric distance Distance"] * 3,
        ],
    ),
}


def own_order(lines: list[str]) -> list[str]:
    """The projections of an attention layer may run in any order, and its softmax is a separate layer on some engines."""
    order = {"query": 0, "key": 1, "value": 2}
    kept = [each for each in lines if not each.endswith((" Softmax", " Dropout"))]
    places = [i for i, each in enumerate(kept) if each.split()[1] in order]
    parts = sorted((kept[i] for i in places), key=lambda each: order[each.split()[1]])
    for i, each in zip(places, parts, strict=True):
        kept[i] = each
    return kept


def on_minitape(text: str, folder: Path) -> Trace:
    path = folder / "program.py"
    path.write_text(
        "import minitape as tf\ntf.keras.backend.clear_session()\n" + LAYERS + dedent(text),
        encoding="utf-8",
    )
    trace = Trace.from_dicts(inside.run(path)[0])
    assert not trace.of(events.ErrorEvent)
    return trace


@pytest.mark.parametrize("name", PROGRAMS)
def test_op_has_scope_of_its_layer(name: str, tmp_path: Path) -> None:
    text, expected = PROGRAMS[name]
    assert own_order(tree(on_minitape(text, tmp_path))) == expected


@pytest.fixture
def on_tensorflow(tensorflow_python: str, tmp_path: Path) -> Callable[[str], Trace]:
    def run(text: str) -> Trace:
        script, stored = tmp_path / "program.py", tmp_path / "run.jsonl"
        script.write_text("import tensorflow as tf\n" + LAYERS + dedent(text), encoding="utf-8")
        how = ["--python", tensorflow_python, "--on", "tensorflow", "--timeout", "120"]
        command = [sys.executable, "-m", "minitape_cli", "trace", str(script), *how]
        subprocess.run([*command, "-o", str(stored)], check=True, capture_output=True, cwd=ROOT)
        return read(stored)

    return run


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", PROGRAMS)
def test_op_has_scope_of_its_layer_on_tensorflow(
    name: str, on_tensorflow: Callable[[str], Trace]
) -> None:
    text, expected = PROGRAMS[name]
    assert own_order(tree(on_tensorflow(text))) == expected


def test_recurrent_cell_has_a_scope_for_each_step(tmp_path: Path) -> None:
    text = """
        layer = L.LSTM(2)
        layer(np.ones((1, 3, 2), "float32"))
        with tf.GradientTape() as tape:
            y = layer(np.ones((1, 3, 2), "float32"))
        """
    trace = on_minitape(text, tmp_path)
    assert tree(trace) == ["layer lstm LSTM", *["  layer lstm_cell LSTMCell"] * 3]
    assert settings(trace, "lstm") == {"units": 2, "activation": "tanh"}


def test_scope_has_settings_that_describe_the_layer(tmp_path: Path) -> None:
    trace = on_minitape(PROGRAMS["a loop"][0], tmp_path)
    assert settings(trace, "conv2d") == {
        "filters": 4,
        "kernel_size": [3, 3],
        "activation": "relu",
    }
    assert settings(trace, "max_pooling2d") == {"pool_size": [2, 2]}
    assert settings(trace, "sgd") == {"learning_rate": 0.25, "momentum": 0.5}
    assert settings(trace, "sparse_categorical_crossentropy") == {"from_logits": True}


def test_update_has_learning_rate_of_its_step(tmp_path: Path) -> None:
    text = """
        w, sgd = tf.Variable(1.0), tf.keras.optimizers.SGD(0.5)
        sgd.apply_gradients([(tf.constant(1.0), w)])
        sgd.learning_rate = 0.25
        sgd.apply_gradients([(tf.constant(1.0), w)])
        """
    scopes = on_minitape(text, tmp_path).of(events.ScopeEvent)
    rates = [each.settings["learning_rate"] for each in scopes if each.role == "optimizer"]
    assert rates == [0.5, 0.25]


def test_op_outside_of_keras_has_no_scope(tmp_path: Path) -> None:
    text = """
        dense = L.Dense(1)
        y = dense(tf.ones([1, 2])) * 2.0
        """
    ops = on_minitape(text, tmp_path).of(events.OpEvent)
    assert [op.name for op in ops if op.scope is None] == ["Mul"]


def test_weight_reads_and_optimizer_updates_have_scopes(tmp_path: Path) -> None:
    trace = on_minitape(PROGRAMS["a loop"][0], tmp_path)
    roles = {each.number: each.role for each in trace.of(events.ScopeEvent)}
    assert {roles.get(each.scope or 0) for each in trace.of(events.ReadEvent)} == {"layer"}
    assert {roles.get(each.scope or 0) for each in trace.of(events.AssignEvent)} == {"optimizer"}


def test_scope_depth_splits_the_call_stack(tmp_path: Path) -> None:
    text = """
        class Twice(L.Layer):
            def call(self, x):
                return x * 2.0
        def outside(x):
            return Twice()(x)
        outside(tf.ones([1]))
        """
    trace = on_minitape(text, tmp_path)
    (scope,) = trace.of(events.ScopeEvent)
    op = trace.of(events.OpEvent)[-1]
    functions = [trace.sites[number].function for number in op.stack]
    assert functions == ["<module>", "outside", "Twice.call"]
    assert functions[scope.depth :] == ["Twice.call"]


def test_deep_recursion_inside_a_layer_keeps_its_scope(tmp_path: Path) -> None:
    """Frames of the previous event are not visited again, but the enclosing layer is still found."""
    text = """
        class Deep(L.Layer):
            def call(self, x):
                return self.down(x, 200)
            def down(self, x, n):
                return self.down(x * 1.0, n - 1) if n else x
        y = Deep()(tf.ones([1])) * 2.0
        """
    trace = on_minitape(text, tmp_path)
    (scope,) = trace.of(events.ScopeEvent)
    ops = trace.of(events.OpEvent)
    assert scope.depth == 1
    assert [op.scope for op in ops] == [1] * 200 + [None]
    assert any(op.outer is not None for op in ops)


def test_layer_called_in_deep_recursion_has_right_depth(tmp_path: Path) -> None:
    text = """
        dense = L.Dense(1)
        dense(tf.ones([1, 1]))
        def down(x, n):
            return down(x * 1.0, n - 1) if n else dense(x)
        down(tf.ones([1, 1]), 200)
        """
    assert on_minitape(text, tmp_path).of(events.ScopeEvent)[-1].depth == 202


def test_exception_in_layer_ends_its_scope(tmp_path: Path) -> None:
    text = """
        class Fails(L.Layer):
            def call(self, x):
                raise ValueError(x * 2.0)
        for _ in range(2):
            try:
                Fails(name="fails")(tf.ones([1]))
            except ValueError:
                pass
        y = tf.ones([1]) * 3.0
        """
    ops = on_minitape(text, tmp_path).of(events.OpEvent)
    assert [op.scope for op in ops] == [1, 2, None]


def test_undefined_scope_is_reported_as_damage(tmp_path: Path) -> None:
    stored = tmp_path / "run.jsonl"
    text = traced(LAYERS + "y = L.Dense(1)(tf.ones([1, 2]))", tmp_path).text
    stored.write_text(text, encoding="utf-8")
    assert read(stored).of(events.ScopeEvent)
    stored.write_text(text.replace('"scope": 1}', '"scope": 7}'), encoding="utf-8")
    with pytest.raises(TraceError, match="refers to scope 7, which no earlier event defines"):
        read(stored)


def test_trace_without_scopes_can_be_read(tmp_path: Path) -> None:
    ran = traced("y = tf.constant(1.0) * 2.0", tmp_path)
    assert not ran.of(events.ScopeEvent)
    assert '"scope"' not in ran.text
