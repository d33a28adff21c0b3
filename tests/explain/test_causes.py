"""The code to write instead is the user's own code, rewritten."""

import pytest
from traced import traced

from minitape.explain.causes import rewriting


@pytest.mark.parametrize(
    ("written", "better"),
    [
        ("np.mean(x)", "tf.reduce_mean(x)"),
        ("np.exp(z - np.max(z))", "tf.exp(z - tf.reduce_max(z))"),
        ("np.concatenate(parts)", "tf.concat(parts, axis=0)"),
        ("np.concatenate(parts, axis=1)", "tf.concat(parts, axis=1)"),
        ("np.dot(x, w)", "tf.tensordot(x, w, axes=1)"),
        ("np.sum(np.array([a, b]))", "tf.reduce_sum([a, b])"),
        ("math.sin(t)", "tf.sin(t)"),
        ("math.fsum(parts)", "tf.reduce_sum(parts)"),
        ("np.append(a, b)", "tf.concat([a, tf.reshape(b, [-1])], axis=0)"),
        ("np.append(a, b, axis=0)", None),
        ("np.vstack(rows)", "tf.stack(rows, axis=0)"),
        ("np.hstack([np.sin(a), b])", "tf.concat([tf.sin(a), b], axis=0)"),
        ("np.random.normal(m, s)", "m + s * tf.random.normal(tf.shape(m))"),
        ("np.random.normal(0.0, s)", "0.0 + s * tf.random.normal(tf.shape(s))"),
        ("np.random.normal(m, s, size=(2, 3))", "m + s * tf.random.normal((2, 3))"),
        ("np.random.normal(m)", None),
        ("np.multiply(a, b, out=c)", None),
        ("np.quantile(x, 0.5)", None),
        ("x +", None),
    ],
)
def test_numpy_call_as_tensorflow_call(written, better):
    assert rewriting.in_tensorflow(written) == better


def test_stacking_functions_concatenate_along_the_right_axis():
    assert rewriting.in_tensorflow("np.vstack([a, b])", rank=2) == "tf.concat([a, b], axis=0)"
    assert rewriting.in_tensorflow("np.hstack([a, b])", rank=2) == "tf.concat([a, b], axis=1)"


@pytest.mark.parametrize(
    ("statement", "conversion", "better"),
    [
        ("n += float(t)", "float(t)", "n += t"),
        ("n = 2 * float(a + b)", "float(a + b)", "n = 2 * (a + b)"),
        ("n = float(a + b)", "float(a + b)", "n = a + b"),
        ("return (a + b).numpy()", "(a + b).numpy()", "return a + b"),
        ("seen.append(t.numpy().item())", "t.numpy()", "seen.append(t)"),
        ("rows = [f(x).numpy() for x in xs]", "f(x).numpy()", "rows = [f(x) for x in xs]"),
        ("s = np.std(x.numpy())", "x.numpy()", "s = tf.math.reduce_std(x)"),
        ("s = np.quantile(x.numpy(), 0.5)", "x.numpy()", None),
        ("while float(t) > 0:", "float(t)", None),
        ("n = round(t)", "round(t)", None),
        ("n += round(float(t), 3)", "float(t)", "n += t"),
        ("self.n = round(float(self.n), 6)", "float(self.n)", None),
    ],
)
def test_statement_that_keeps_the_tensor(statement, conversion, better):
    assert rewriting.without_conversion(statement, conversion) == better


@pytest.mark.parametrize(
    ("statement", "better"),
    [
        ("w = w - 0.1 * g", "w.assign_sub(0.1 * g)"),
        ("self.w = self.w + g", "self.w.assign_add(g)"),
        ("w = w * 0.9", "w.assign(w * 0.9)"),
        ("w = 1.0 - w", "w.assign(1.0 - w)"),
        (
            "ws = [w - r * g for w, g in zip(ws, gs)]",
            "for w, g in zip(ws, gs): w.assign_sub(r * g)",
        ),
        (
            "ws = {k: tf.clip_by_value(w, lo, hi) for k, w in ws.items()}",
            "for k, w in ws.items(): w.assign(tf.clip_by_value(w, lo, hi))",
        ),
        ("ws = {'a': w + g, 'b': b}", None),
        ("setattr(o, n, getattr(o, n) - g)", "getattr(o, n).assign_sub(g)"),
        ("for w in ws:", None),
    ],
)
def test_statement_that_keeps_the_variable(statement, better):
    assert rewriting.assigned("w", statement) == better


@pytest.mark.parametrize(
    ("written", "better"),
    [
        ("tf.Variable([3, 1])", "tf.Variable([3.0, 1.0])"),
        ("tf.zeros([3], tf.int32)", "tf.zeros([3], tf.float32)"),
        ("np.arange(1, 5)", "np.arange(1.0, 5.0)"),
        ("tf.ones([3, 2])", None),
        ("tf.Variable(count)", None),
    ],
)
def test_integers_become_floats_but_shapes_do_not(written, better):
    assert rewriting.with_points(written) == better


@pytest.mark.parametrize(
    ("written", "better"),
    [
        ("p > 0.5", "tf.sigmoid((p - 0.5) / width)"),
        ("p <= a + b", "tf.sigmoid((a + b - p) / width)"),
        ("p == q", None),
        ("p", None),
    ],
)
def test_comparison_becomes_a_smooth_step(written, better):
    assert rewriting.smooth_step(written) == better


def test_tape_made_persistent():
    plain, more = (
        "with tf.GradientTape() as t:",
        "with tf.GradientTape(watch_accessed_variables=False) as t:",
    )
    assert rewriting.persistent(plain) == "with tf.GradientTape(persistent=True) as t:"
    assert rewriting.persistent(more).startswith("with tf.GradientTape(persistent=True, watch")


PASTED = [
    pytest.param(
        "x = tf.constant(3.0)\nwith tf.GradientTape() as t:\n    y = x * x\ng = t.gradient(y, x)\n",
        "x = tf.constant(3.0)",
        lambda fix: fix.rpartition("a variable: ")[2].strip("`"),
        6.0,
        id="a variable instead of a tensor",
    ),
    pytest.param(
        "x = tf.Variable([1.0, 3.0])\nwith tf.GradientTape() as t:\n    y = np.sum(x) * tf.ones([])\ng = t.gradient(y, x)[0]\n",
        "np.sum(x)",
        lambda fix: fix.removeprefix("use ").partition(" instead")[0].strip("`"),
        1.0,
        id="tensorflow's function instead of numpy's",
    ),
    pytest.param(
        "v = tf.Variable([1.0, 3.0])\nwith tf.GradientTape() as t:\n    y = v[0] * v[1]\ng = t.gradient(y, v[0])\n",
        "t.gradient(y, v[0])",
        lambda fix: fix.removeprefix("write `").removesuffix("`"),
        3.0,
        id="the whole and not a slice of it",
    ),
    pytest.param(
        "x = tf.Variable(3.0)\nwith tf.GradientTape() as t:\n    y = x * x\ng = t.gradient(x, y)\n",
        "t.gradient(x, y)",
        lambda fix: fix.removeprefix("write `").removesuffix("`"),
        6.0,
        id="target before source",
    ),
    pytest.param(
        "x = tf.Variable(3)\nwith tf.GradientTape() as t:\n    y = tf.cast(x, tf.float32) * 2.0\ng = t.gradient(y, x)\n",
        "tf.Variable(3)",
        lambda fix: fix.removeprefix("use floats: ").strip("`"),
        2.0,
        id="a decimal point",
    ),
]


@pytest.mark.parametrize(("program", "old", "new", "derivative"), PASTED)
@pytest.mark.filterwarnings("ignore:Integers and booleans have no gradient")
def test_pasted_fix_restores_the_gradient(program, old, new, derivative, tmp_path):
    (finding,) = traced(program, tmp_path).source().findings
    repaired = traced(program.replace(old, new(finding.fix)), tmp_path)
    assert repaired.error is None
    assert float(repaired.names["g"]) == derivative
