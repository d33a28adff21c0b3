"""Known mistakes are recognized, and the answer shows the usual code in one line."""

import ast
import re
import textwrap
from pathlib import Path

import pytest
from traced import run

from minitape.explain.explain import explain

KNOWN = {
    "model.predict in the tape": (
        """
        tf.keras.utils.set_random_seed(0)
        model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
        x, y = tf.constant([[1.0, 2.0]]), tf.constant([[1.0]])
        with tf.GradientTape() as tape:
            out = tf.constant(model.predict(x, verbose=0))
            loss = tf.reduce_mean((out - y) ** 2)
        tape.gradient(loss, model.trainable_variables)
        """,
        "loss = loss_fn(y, model(x, training=True))",
    ),
    "a Q network": (
        """
        tf.keras.utils.set_random_seed(0)
        model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(3)])
        states, target = tf.constant([[1.0, 2.0]]), tf.constant([1.0])
        with tf.GradientTape() as tape:
            q_values = tf.constant(model.predict(states, verbose=0))
            loss = tf.reduce_mean((target - tf.reduce_max(q_values, axis=1)) ** 2)
        tape.gradient(loss, model.trainable_variables)
        """,
        "q = tf.reduce_sum(model(states) * tf.one_hot(actions, num_actions), axis=1)",
    ),
    "loss = float(...)": (
        """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            loss = float((w - 1.0) ** 2)
            total = tf.constant(loss) * 2.0
        tape.gradient(total, w)
        """,
        None,
    ),
    "a loss that was converted": (
        """
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            loss = w * 3.0
            loss = tf.constant(1.0) * float(loss)
        tape.gradient(loss, w)
        """,
        "print(float(loss))",
    ),
    "a REINFORCE loss on sampled actions": (
        """
        tf.random.set_seed(1)
        w = tf.Variable([[0.1, 0.4, 0.2]])
        rewards = tf.constant([1.0])
        with tf.GradientTape() as tape:
            logits = w * 2.0
            actions = tf.random.categorical(logits, 1)
            loss = -tf.reduce_mean(tf.cast(actions, tf.float32) * rewards)
        tape.gradient(loss, w)
        """,
        "loss = -tf.reduce_mean(rewards * tf.gather(tf.nn.log_softmax(logits), actions, batch_dims=1))",
    ),
    "a rounded value": (
        """
        w = tf.Variable([0.4, 1.6])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.round(w) * 2.0)
        tape.gradient(y, w)
        """,
        "w + tf.stop_gradient(tf.round(w) - w)",
    ),
    "accuracy as the loss": (
        """
        w = tf.Variable([[0.1, 0.4], [0.2, 0.3]])
        labels = tf.constant([1, 0], tf.int64)
        with tf.GradientTape() as tape:
            right = tf.equal(tf.argmax(w, axis=1), labels)
            loss = -tf.reduce_mean(tf.cast(right, tf.float32))
        tape.gradient(loss, w)
        """,
        "tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)(labels, w)",
    ),
    "a word chosen by argmax": (
        """
        table, w = tf.constant([[1.0], [2.0]]), tf.Variable([[0.1, 0.4]])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, tf.argmax(w, axis=1)))
        tape.gradient(loss, w)
        """,
        "tf.nn.softmax(w / temperature)",
    ),
    "a threshold": (
        """
        w = tf.Variable([0.4, 1.6])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.cast(w > 1.0, tf.float32))
        tape.gradient(y, w)
        """,
        "tf.keras.losses.BinaryCrossentropy(from_logits=True)(labels, w)",
    ),
    "a mean squared error of NumPy": (
        """
        w, x, y = tf.Variable(2.0), tf.constant([1.0, 2.0]), np.float32([1.0, 3.0])
        with tf.GradientTape() as tape:
            pred = w * x
            loss = tf.constant(np.mean(np.square(pred - y)))
        tape.gradient(loss, w)
        """,
        "tf.reduce_mean(tf.square(pred - y))",
    ),
    "a variable that the update replaces": (
        """
        w = tf.Variable(2.0)
        for _ in range(2):
            with tf.GradientTape() as tape:
                loss = w * w
            gradient = tape.gradient(loss, w)
            w = w - 0.1 * gradient
            if gradient is None:
                break
        """,
        "w.assign_sub(learning_rate * gradient)",
    ),
    "a second derivative": (
        """
        x = tf.Variable(2.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x * x * x
        slope = inner.gradient(y, x)
        outer.gradient(slope, x)
        """,
        "with tf.GradientTape() as outer: first = inner.gradient(y, x)",
    ),
    "a layer that died": (
        """
        tf.keras.utils.set_random_seed(0)
        model = tf.keras.Sequential([
            tf.keras.Input((2,)),
            tf.keras.layers.Dense(3, activation="relu", bias_initializer=tf.keras.initializers.Constant(-9.0)),
        ])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(tf.constant([[1.0, 2.0]])))
        tape.gradient(loss, model.trainable_variables)
        """,
        'tf.keras.layers.Dense(3, activation="relu", kernel_initializer="he_normal")',
    ),
    "a sample of NumPy": (
        """
        scale, rng = tf.Variable(0.5), np.random.default_rng(0)
        with tf.GradientTape() as tape:
            z = rng.normal(0.0, float(scale), size=3).astype("float32")
            loss = tf.reduce_sum(tf.constant(z) ** 2)
        tape.gradient(loss, scale)
        """,
        "mean + scale * tf.random.normal(shape)",
    ),
    "weights that follow others": (
        """
        online, slow = tf.Variable(2.0), tf.Variable(1.0)
        with tf.GradientTape() as tape:
            slow.assign(0.9 * slow + 0.1 * online)
            loss = slow * slow
        tape.gradient(loss, online)
        """,
        "slow.assign(tau * online + (1.0 - tau) * slow)",
    ),
    "a metric as the loss": (
        """
        w = tf.Variable(0.3)
        error = tf.keras.metrics.MeanSquaredError()
        y = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            pred = w * y
            error.update_state(y, pred)
            loss = error.result()
        tape.gradient(loss, w)
        """,
        "loss = loss_fn(y, pred); error.update_state(y, pred)",
    ),
    "two calls on one tape": (
        """
        a, b = tf.Variable(0.3), tf.Variable(0.4)
        with tf.GradientTape() as tape:
            loss = a * b
        tape.gradient(loss, a)
        tape.gradient(loss, b)
        """,
        "gradients = tape.gradient(loss, [a, b])",
    ),
    "the logarithm of a softmax": (
        """
        w = tf.Variable([[0.0, 200.0]])
        y = tf.constant([[1.0, 0.0]])
        with tf.GradientTape() as tape:
            loss = -tf.reduce_sum(y * tf.math.log(tf.nn.softmax(w)))
        tape.gradient(loss, w)
        """,
        "tf.keras.losses.CategoricalCrossentropy(from_logits=True)(y, w)",
    ),
    "Grad-CAM with a second pass": (
        """
        tf.keras.utils.set_random_seed(0)
        model = tf.keras.Sequential([
            tf.keras.Input((4, 4, 1)), tf.keras.layers.Conv2D(2, 2, name="conv"),
            tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(3)])
        sub_model = tf.keras.Model(model.inputs, model.get_layer("conv").output)
        img = tf.reshape(tf.range(16.0), (1, 4, 4, 1))
        with tf.GradientTape() as tape:
            conv = sub_model(img)
            preds = model(img)
            score = preds[:, 1]
        tape.gradient(score, conv)
        """,
        "tf.keras.Model(model.inputs, [model.get_layer(name).output, model.output])",
    ),
    "the second output of an LSTM": (
        """
        tf.keras.utils.set_random_seed(0)
        lstm = tf.keras.layers.LSTM(2, return_state=True, return_sequences=True)
        head = tf.Variable(tf.ones([2, 1]))
        x = tf.reshape(tf.range(6.0), (1, 3, 2))
        with tf.GradientTape() as tape:
            out, h, c = lstm(x)
            loss = tf.reduce_sum(h @ head)
        tape.gradient(loss, out)
        """,
        "loss = loss_fn(y, out)",
    ),
    "a tape inside call": (
        """
        class Slope(tf.keras.layers.Layer):
            def call(self, x):
                with tf.GradientTape() as tape:
                    y = x * x
                self.slope = tape.gradient(y, x)
                return y
        Slope()(tf.constant([1.0, 2.0]))
        """,
        "with tf.GradientTape() as tape: tape.watch(x)",
    ),
    "a loss that each iteration overwrites": (
        """
        ws = [tf.Variable(0.3), tf.Variable(0.4)]
        with tf.GradientTape() as tape:
            for w in ws:
                loss = w * w
        tape.gradient(loss, ws)
        """,
        "loss = tf.add_n(losses)",
    ),
    "a division that where hides": (
        """
        x = tf.Variable([0.0, 2.0])
        with tf.GradientTape() as tape:
            y = tf.where(x > 0.0, 1.0 / x, 0.0)
        tape.gradient(y, x)
        """,
        "tf.math.divide_no_nan(1.0, x)",
    ),
    "a source of indices": (
        """
        tf.keras.utils.set_random_seed(0)
        embedding = tf.keras.layers.Embedding(5, 2)
        ids = tf.constant([1, 2])
        with tf.GradientTape() as tape:
            tape.watch(ids)
            loss = tf.reduce_sum(embedding(ids) ** 2)
        tape.gradient(loss, ids)
        """,
        "vectors = embedding(ids); tape.watch(vectors)",
    ),
}


def _usual(program: str, folder: Path) -> list[str]:
    script = folder / "program.py"
    body = textwrap.dedent(program)
    script.write_text(f"import numpy as np\nimport tensorflow as tf\n{body}", encoding="utf-8")
    messages = [
        finding.message
        for call in explain(run(script, on="minitape").trace).calls
        for source in call.sources
        for finding in source.findings
    ]
    assert messages
    return [each for each in messages if "The usual way" in each]


@pytest.mark.filterwarnings("ignore:The dtype of the watched tensor")
@pytest.mark.parametrize("name", [name for name, (_, line) in KNOWN.items() if line])
def test_known_mistake_gets_the_usual_code(name: str, tmp_path: Path) -> None:
    program, line = KNOWN[name]
    answers = _usual(program, tmp_path)
    assert answers and f"{line}`" in answers[0]
    _, _, sentence = answers[0].partition("The usual way")
    for code in re.findall(r"`([^`]+)`", sentence):
        if code != "call" and code[-5:] != "=True":
            ast.parse(f"{code} pass" if code.endswith(":") else code)


def test_twenty_known_mistakes_have_a_case() -> None:
    assert sum(line is not None for _, line in KNOWN.values()) >= 20


def test_program_without_a_known_mistake_gets_no_such_sentence(
    tmp_path: Path,
) -> None:
    for name, (program, line) in KNOWN.items():
        if line is None:
            assert not _usual(program, tmp_path), name
