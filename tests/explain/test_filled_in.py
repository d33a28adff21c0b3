"""Zeros in place of None, which may be a lost gradient or intended."""

from pathlib import Path

import pytest
from traced import traced

from minitape.explain.report import Outcome

LOST = {
    "a variable that went through NumPy": (
        """
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            loss = tf.constant(np.square(w))
        tape.gradient(loss, w, unconnected_gradients="zero")
        """,
        "numpy-roundtrip",
    ),
    "a tensor that nobody watches": (
        """
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            loss = x * x
        tape.gradient(loss, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)
        """,
        "not-watched",
    ),
    "a value that lost its name": (
        """
        a, b = tf.Variable(3.0), tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = a * a
            loss = b * b
        tape.gradient(loss, a, unconnected_gradients="zero")
        """,
        "overwritten-value",
    ),
    "target and source the wrong way round": (
        """
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            loss = w * w
        tape.gradient(w, loss, unconnected_gradients="zero")
        """,
        "unconnected",
    ),
    "a batch_jacobian that nobody asked for zeros": (
        """
        a, b = tf.Variable([[3.0]]), tf.Variable([[1.0]])
        with tf.GradientTape() as tape:
            y = b * b
        tape.batch_jacobian(y, a)
        """,
        "unconnected",
    ),
}
MEANT = {
    "a loss without the source": """
        a, b = tf.Variable(3.0), tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = b * b
        tape.gradient(loss, a, unconnected_gradients="zero")
        """,
    "a straight line, twice differentiated": """
        a = tf.Variable(3.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = 2.0 * a
            slope = inner.gradient(y, a)
        outer.gradient(slope, a, unconnected_gradients="zero")
        """,
    "what the program stops itself": """
        a, b = tf.Variable(3.0), tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = b * tf.stop_gradient(a)
        tape.gradient(loss, a, unconnected_gradients="zero")
        """,
    "a weight that is not trainable": """
        a, b = tf.Variable(3.0, trainable=False), tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = b * a
        tape.gradient(loss, a, unconnected_gradients="zero")
        """,
    "a weight that the others have learnt of in earlier rounds": """
        trunk, one, other = tf.Variable(0.5), tf.Variable(5.0), tf.Variable(3.0)
        for head in [one, other]:
            with tf.GradientTape() as tape:
                loss = (trunk * head - 1.0) ** 2
            a, b, c = tape.gradient(loss, [trunk, one, other], unconnected_gradients="zero")
            trunk.assign_sub(0.1 * a)
            one.assign_sub(0.1 * b)
            other.assign_sub(0.1 * c)
        """,
}


@pytest.mark.parametrize("name", LOST)
def test_zeros_that_hide_a_lost_gradient_are_reported(name: str, tmp_path: Path) -> None:
    text, slug = LOST[name]
    source = traced(text, tmp_path).source()
    assert source.outcome is Outcome.ZERO
    (finding,) = source.findings
    assert (finding.slug, finding.code) == (slug, "MT603")
    assert "returns zeros instead of None" in finding.message


@pytest.mark.parametrize("name", MEANT)
def test_intended_zeros_are_not_reported(name: str, tmp_path: Path) -> None:
    sources = [
        source for call in traced(MEANT[name], tmp_path).report.calls for source in call.sources
    ]
    assert Outcome.ZERO in [source.outcome for source in sources]
    assert [source.findings for source in sources if source.findings] == []


def test_stop_gradient_and_lost_path_are_both_reported(tmp_path: Path) -> None:
    """Only one of the two paths was stopped on purpose."""
    found = traced(
        """
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            loss = tf.stop_gradient(w) + tf.constant(np.square(w), tf.float32)
        tape.gradient(loss, w, unconnected_gradients="zero")
        """,
        tmp_path,
    ).found()
    assert "numpy-roundtrip" in [slug for slug, _ in found]


def test_none_that_the_program_replaces_names_that_line(tmp_path: Path) -> None:
    (finding,) = traced(
        """
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            loss = tf.constant(np.square(w))
        g = tape.gradient(loss, w)
        g = tf.zeros_like(w) if g is None else g
        """,
        tmp_path,
    ).source().findings  # fmt: skip
    assert finding.code == "MT201"
    assert "Line 5 replaces this None gradient with zeros" in finding.message


def test_zero_gradient_of_a_connected_source_is_not_none(tmp_path: Path) -> None:
    found = traced(
        """
        w = tf.Variable(-3.0)
        with tf.GradientTape() as tape:
            loss = tf.nn.relu(w)
        tape.gradient(loss, w, unconnected_gradients="zero")
        """,
        tmp_path,
    ).found()
    assert [slug for slug, _ in found] == ["dead-relu"]
