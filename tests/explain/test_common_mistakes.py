"""Common mistakes, in programs that are not among the cases, and healthy programs that look similar."""

from pathlib import Path
from textwrap import dedent

import pytest
from traced import INTERRUPTED, run, stopped_in_the_last_call, traced

from minitape.explain.explain import explain

_NET = """
from minitape import keras

def build(units):
    model = keras.Sequential([keras.Input((4,))])
    model.add(keras.layers.Dense(3, activation="relu"))
    model.add(keras.layers.Dense(units, activation="softmax"))
    return model
"""
_FIT = """
import numpy as np
import minitape as tf
from net_of_{units} import build

tf.random.set_seed(0)
rng = np.random.default_rng(0)
x = rng.normal(size=(8, 4)).astype("float32")
y = rng.uniform(size=(8, {units})).astype("float32")
model = build({units})
model.compile(optimizer="sgd", loss="mse")
model.fit(x, y, batch_size=8, verbose=0)
"""


def _files_of_findings(units: int, folder: Path) -> set[tuple[str, int, str]]:
    (folder / f"net_of_{units}.py").write_text(dedent(_NET).lstrip())
    script = folder / "train.py"
    script.write_text(_FIT.format(units=units).lstrip())
    report = explain(run(script).trace)
    return {
        (Path(finding.location.file).name, finding.location.line, finding.slug)
        for call in report.calls
        for source in call.sources
        for finding in source.findings
    }


@pytest.mark.filterwarnings("ignore:`softmax` over axis")
def test_softmax_over_one_unit_is_shown_where_the_layer_is_created_in_another_file(
    tmp_path: Path,
) -> None:
    assert _files_of_findings(1, tmp_path) == {("net_of_1.py", 6, "sums-to-constant")}


def test_softmax_over_two_units_of_another_file_has_no_finding(tmp_path: Path) -> None:
    assert _files_of_findings(2, tmp_path) == set()


@pytest.mark.parametrize(
    ("ratio", "advice"),
    [
        ("h / tf.norm(h)", "use `tf.math.l2_normalize(h)`"),
        ("h / tf.norm(h, axis=0)[None]", "use `tf.math.l2_normalize(h, axis=0)`"),
        (
            "w[0] * 2.0 / (tf.norm(h) * tf.norm(w))",
            "use `tf.math.divide_no_nan(w[0] * 2.0, tf.norm(h) * tf.norm(w))`",
        ),
        ("w / tf.norm(h)", "use `tf.math.divide_no_nan(w, tf.norm(h))`"),
        ("h / tf.norm(h, ord=1)", "use `tf.math.divide_no_nan(h, tf.norm(h, ord=1))`"),
    ],
)
def test_only_a_vector_over_its_own_norm_is_normalized(
    ratio: str, advice: str, tmp_path: Path
) -> None:
    program = f"""
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            h = w * 0.0
            y = tf.reduce_sum({ratio})
        tape.gradient(y, w)
        """
    source = traced(program, tmp_path).source()
    assert [(each.slug, each.location.line) for each in source.findings] == [
        ("division-by-zero", 4)
    ]
    assert source.findings[0].fix.startswith(advice)


@pytest.mark.parametrize("function", ["lgamma", "digamma"])
@pytest.mark.parametrize("pole", ["0.0", "-1.0"])
def test_gamma_function_is_infinite_at_its_poles_and_defined_between_them(
    function: str, pole: str, tmp_path: Path
) -> None:
    program = f"""
        a = tf.Variable([-1.5, {{}}, 2.0])
        with tf.GradientTape() as tape:
            y = tf.math.{function}(a)
        tape.gradient(y, a)
        """
    (finding,) = traced(program.format(pole), tmp_path).source().findings
    assert finding.label == f"{float(pole):g} is a pole of this function"
    assert finding.location.line == 3
    assert f"`tf.math.{function}(tf.maximum(a, 1e-6))`" in finding.fix
    assert traced(program.format("-0.5"), tmp_path).found() == []


def test_call_in_which_the_run_was_stopped_has_not_arrived(tmp_path: Path) -> None:
    ran = traced(INTERRUPTED, tmp_path)
    assert [call.visit for call in explain(ran.trace).calls] == [1, 2]
    assert [call.visit for call in explain(stopped_in_the_last_call(ran)).calls] == [1]


HEALTHY = {
    "an array that is only printed": """
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            pred = w * 3.0
            loss = tf.reduce_sum(pred ** 2)
            print(np.asarray(pred).sum(), (pred.numpy() ** 2).mean())
        tape.gradient(loss, w)
        """,
    "weights that are only shown": """
        layer = tf.keras.layers.Dense(2)
        layer.build((None, 3))
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(layer(tf.ones([1, 3])) ** 2)
            norm = np.sum(layer.get_weights()[0] ** 2)
        tape.gradient(loss, layer.trainable_variables)
        """,
    "elements that NumPy takes of data": """
        w, data = tf.Variable([1.0, 2.0]), np.array([3.0, 4.0, 5.0], np.float32)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * np.take(data, [0, 2]))
        tape.gradient(loss, w)
        """,
    "an array as the target of the tensor that was created from it": """
        x = np.array([[1.0, 2.0]], np.float32)
        xt, w = tf.constant(x), tf.Variable([[0.5, 0.1], [0.2, 0.4]])
        with tf.GradientTape() as tape:
            tape.watch(xt)
            loss = tf.reduce_sum((xt @ w - x) ** 2)
        tape.gradient(loss, [xt, w])
        """,
}


@pytest.mark.parametrize("name", HEALTHY)
def test_healthy_program_has_no_finding(name: str, tmp_path: Path) -> None:
    report = traced(HEALTHY[name], tmp_path).report
    assert report.calls and all(
        not source.findings for call in report.calls for source in call.sources
    )
