"""A user's own op: it can do all that an op of the catalog can, and mistakes in its declaration are reported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traced import traced

import minitape as tf
from minitape.core.registry import PRIMITIVES
from minitape.errors import LoopWarning

X = [1.0, -2.0, 0.5]


@pytest.fixture(autouse=True)
def _restore_the_catalog() -> Iterator[None]:
    before = dict(PRIMITIVES)
    yield
    PRIMITIVES.clear()
    PRIMITIVES.update(before)


def cube_op(**declared: Any) -> Any:
    words = {"vjp": lambda ybar, y, x: ybar * 3.0 * x * x, "residuals": "x", "batch": "elementwise"}

    @tf.register_op(**{**words, **declared})
    def cube(x: Any) -> Any:
        """The third power of each element."""
        return x * x * x

    return cube


def scaled_sum_op() -> Any:
    """Two inputs that broadcast, a setting, and a rule for each input that reads the other."""

    @tf.register_op(
        "ScaledProduct",
        vjp=(
            lambda ybar, y, a, b, by: tf.autodiff.sum_to(ybar * b * by, a),
            lambda ybar, y, a, b, by: tf.autodiff.sum_to(ybar * a * by, b),
        ),
        residuals=("b", "a"),
        batch="elementwise",
    )
    def scaled_product(a: Any, b: Any, *, by: float = 1.0) -> Any:
        return a * b * np.asarray(by, a.dtype)

    return scaled_product


def gradient(f: Any, *values: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(values)
        y = f(*values)
    return tape.gradient(y, list(values))


def test_op_converts_inputs_and_returns_tensors() -> None:
    cube = cube_op()
    for x in (X, np.array(X, np.float32), tf.constant(X), tf.Variable(X)):
        y = cube(x)
        assert isinstance(y, tf.Tensor)
        np.testing.assert_array_equal(y, np.array(X, np.float32) ** 3)
    assert cube.__doc__ == "The third power of each element."


def test_op_can_be_differentiated_to_any_order() -> None:
    cube, x = cube_op(), tf.constant(2.0)
    with tf.GradientTape() as a:
        a.watch(x)
        with tf.GradientTape() as b:
            b.watch(x)
            with tf.GradientTape() as c:
                c.watch(x)
                y = cube(x)
            first = c.gradient(y, x)
        second = b.gradient(first, x)
    assert [float(first), float(second), float(a.gradient(second, x))] == [12.0, 12.0, 6.0]


def test_op_supports_forward_mode_and_jacobians() -> None:
    cube, x = cube_op(), tf.constant(X)
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator, tf.GradientTape() as t:
        t.watch(x)
        y = cube(x)
    derivatives = 3 * np.array(X) ** 2
    np.testing.assert_allclose(accumulator.jvp(y), derivatives)
    np.testing.assert_allclose(t.jacobian(y, x), np.diag(derivatives))
    np.testing.assert_allclose(tf.vectorized_map(cube, x), np.array(X) ** 3)


def test_inputs_broadcast_and_settings_reach_the_rules() -> None:
    product = scaled_sum_op()
    a, b = tf.constant([[1.0, 2.0, 3.0]]), tf.constant([[10.0], [20.0]])
    by_a, by_b = gradient(lambda a, b: product(a, b, by=0.5), a, b)
    np.testing.assert_array_equal(by_a, [[15.0, 15.0, 15.0]])
    np.testing.assert_array_equal(by_b, [[3.0], [3.0]])


def test_only_declared_residuals_are_saved() -> None:
    product, x = scaled_sum_op(), tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        product(x, tf.constant([3.0, 4.0]))
    (record,) = tape._tape.records
    kinds = [type(each).__name__ for each in (*record.saved, record.result)]
    assert kinds == ["ndarray", "ndarray", "ShapeDtype"]


def test_integer_input_has_no_rule() -> None:
    @tf.register_op(
        vjp=(lambda ybar, y, x, times: ybar * tf.cast(times, ybar.dtype), None), residuals="b"
    )
    def repeated(x: Any, times: Any) -> Any:
        return x * times.astype(x.dtype)

    by_x, by_times = gradient(repeated, tf.constant(2.0), tf.constant(5.0))
    assert float(by_x) == 5.0
    assert by_times is None
    assert float(repeated(2.0, tf.constant(3))) == 6.0


def test_op_with_several_outputs() -> None:
    @tf.register_op(
        vjp=lambda ybars, y, x: (
            (0.0 if ybars[0] is None else ybars[0] * y[1])
            - (0.0 if ybars[1] is None else ybars[1] * y[0])
        ),
        residuals="y",
        outputs=2,
    )
    def sine_and_cosine(x: Any) -> Any:
        return np.sin(x), np.cos(x)

    x = tf.constant([0.5, 1.5])
    (both,) = gradient(lambda x: sum(sine_and_cosine(x)), x)
    np.testing.assert_allclose(both, np.cos([0.5, 1.5]) - np.sin([0.5, 1.5]), rtol=1e-6)
    (one,) = gradient(lambda x: sine_and_cosine(x)[1], x)
    np.testing.assert_allclose(one, -np.sin([0.5, 1.5]), rtol=1e-6)


def test_op_without_gradient_states_the_reason() -> None:
    @tf.register_op(vjp=tf.autodiff.no_gradient("a bucket is a whole number"))
    def bucket(x: Any) -> Any:
        return np.floor(x / 10)

    x = tf.constant(25.0)
    assert gradient(bucket, x) == [None]
    assert PRIMITIVES["bucket"].reason == "a bucket is a whole number"


def test_op_without_batching_rule_loops_and_warns() -> None:
    cube, x = cube_op(batch=None), tf.constant(X)
    with pytest.warns(LoopWarning, match="`cube` has no batch rule") as received:
        y = tf.vectorized_map(cube, x)
    np.testing.assert_allclose(y, np.array(X) ** 3)
    assert received[0].filename == __file__


def test_jacobian_through_rule_without_batching_loops_and_warns() -> None:
    """The rule calls a user's own op that does not support stacks."""

    @tf.register_op("Halved", vjp=lambda ybar, y, x: halved(ybar))
    def halved(x: Any) -> Any:
        return x / 2

    x = tf.constant(X)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = halved(x) * x
    with pytest.warns(LoopWarning, match="`Halved` has no batch rule"):
        at_once = tape.jacobian(y, x)
    np.testing.assert_allclose(at_once, tape.jacobian(y, x, experimental_use_pfor=False))


def test_trace_shows_op_with_its_rule(tmp_path: Path) -> None:
    ran = traced(
        """
        @tf.register_op("Cubed", vjp=lambda ybar, y, x: ybar * 3.0 * x * x, residuals="x", rule="x̄ = ȳ·3x²")
        def cubed(x):
            return x * x * x

        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = cubed(x)
        gradient = tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert ran.error is None
    assert [e["rule"] for e in ran.reported("primitive") if e["name"] == "Cubed"] == ["x̄ = ȳ·3x²"]


# --- errors ---


def refused(match: str, **declared: Any) -> None:
    kind = TypeError if "called as" in match else ValueError
    with pytest.raises(kind, match=match):
        cube_op(**declared)


def test_wrong_number_of_rules_raises() -> None:
    refused("1 inputs .x., but 2 rules", vjp=(None, None))


def test_rule_with_wrong_arguments_raises() -> None:
    refused(r"called as rule\(ybar, y, x\)", vjp=lambda ybar, x: ybar)


def test_unknown_letter_in_residuals_raises() -> None:
    refused("contains 'b'; the allowed letters are x, y", residuals="b")


def test_too_many_residual_strings_raise() -> None:
    refused("1 inputs, but `residuals` has 2 strings", residuals=("x", "y"))


def test_unknown_batching_rule_raises() -> None:
    refused("must be one of elementwise, leading_axes, one_by_one", batch="rows")


def test_name_of_existing_op_raises() -> None:
    refused("An op named Mul already exists", name="Mul")


def test_variadic_inputs_raise() -> None:
    with pytest.raises(ValueError, match=r"takes \*xs"):
        tf.register_op("Any", vjp=lambda ybar, y, x: ybar)(lambda *xs: xs[0])


def test_notebook_cell_may_run_twice() -> None:
    cube_op()
    assert float(cube_op()(2.0)) == 8.0


def test_rule_that_reads_undeclared_residual_raises() -> None:
    cube = cube_op(residuals="")
    with pytest.raises(TypeError, match="`residuals` does not include x and the output") as info:
        gradient(cube, tf.constant(X))
    assert "residuals='xy'" in str(info.value)


def test_rule_that_does_not_sum_over_broadcast_axis_raises() -> None:
    @tf.register_op(vjp=(lambda ybar, y, a, b: ybar, lambda ybar, y, a, b: ybar))
    def total(a: Any, b: Any) -> Any:
        return a + b

    with pytest.raises(ValueError, match=r"for `b` returned shape \(3,\), but `b` has shape \(\)"):
        gradient(total, tf.constant(X), tf.constant(1.0))


def test_rule_that_changes_dtype_raises() -> None:
    cube = cube_op(vjp=lambda ybar, y, x: tf.cast(ybar, tf.float64), residuals="")
    with pytest.raises(TypeError, match="returned dtype float64, but `x` has dtype float32"):
        gradient(cube, tf.constant(X))


def test_rule_that_returns_a_number_raises() -> None:
    cube = cube_op(vjp=lambda ybar, y, x: 3.0, residuals="")
    with pytest.raises(TypeError, match=r"returned 3\.0, which is not a tensor"):
        gradient(cube, tf.constant(X))


def test_error_raised_by_the_rule_is_propagated() -> None:
    def broken(ybar: Any, y: Any, x: Any) -> Any:
        raise KeyError("mine")

    cube = cube_op(vjp=broken, residuals="xy")
    with pytest.raises(KeyError, match="mine"):
        gradient(cube, tf.constant(X))
