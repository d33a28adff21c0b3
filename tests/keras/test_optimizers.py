"""Optimizers: their steps as in Keras 3.15, and their messages about a missing gradient."""

from typing import Any

import numpy as np
import pytest

import minitape as tf

optimizers = tf.keras.optimizers


@pytest.mark.parametrize(
    ("optimizer", "after_three"),
    [
        (optimizers.SGD(0.1), [0.5119999647140503, -1.0239999294281006]),
        (optimizers.SGD(0.1, momentum=0.9), [0.062000006437301636, -0.12400001287460327]),
        (
            optimizers.SGD(0.1, momentum=0.9, nesterov=True),
            [-0.1083519458770752, 0.2167038917541504],
        ),
        (optimizers.Adam(0.1), [0.7015886306762695, -1.7006256580352783]),
    ],
)
def test_three_steps_on_a_parabola_equal_keras(optimizer: Any, after_three: list[float]) -> None:
    """From [1, -2] with the gradient 2v; recorded with TensorFlow 2.21. float32: seven digits."""
    v = tf.Variable([1.0, -2.0])
    for _ in range(3):
        optimizer.apply_gradients([(2.0 * v, v)])
    np.testing.assert_allclose(v, after_three, rtol=3e-7)
    assert int(optimizer.iterations) == 3


@pytest.mark.parametrize(
    ("optimizer", "row"),
    [
        (optimizers.SGD(1.0), -2.0),
        (optimizers.SGD(1.0, momentum=0.9), -2.0),
        (optimizers.Adam(1.0), -1.4142009),
    ],
)
def test_repeated_rows_of_indexed_slices(optimizer: Any, row: float) -> None:
    """Recorded with TensorFlow: Adam squares the two parts and not their sum, so its step is 2/√2."""
    v = tf.Variable(tf.zeros([3, 2]))
    rows = tf.IndexedSlices(tf.ones([2, 2]), tf.constant([0, 0]), tf.constant([3, 2]))
    optimizer.apply_gradients([(rows, v)])
    np.testing.assert_allclose(v, [[row, row], [0, 0], [0, 0]], rtol=1e-6)


def test_variable_without_gradient_is_unchanged_and_named_in_a_warning() -> None:
    v, lost = tf.Variable(1.0), tf.Variable(2.0, name="lost")
    with pytest.warns(UserWarning, match=r"Gradients do not exist for variables \['lost'\]"):
        optimizers.SGD(0.5).apply_gradients([(tf.constant(1.0), v), (None, lost)])
    assert (float(v), float(lost)) == (0.5, 2.0)


def test_no_gradient_at_all_raises() -> None:
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        optimizers.SGD().apply_gradients([(None, tf.Variable(1.0))])


def test_error_for_empty_list_mentions_unbuilt_model() -> None:
    with pytest.raises(ValueError, match="call the model once"):
        optimizers.SGD().apply_gradients(zip([], []))


def test_gradient_of_mismatched_shape_raises() -> None:
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"shape \(2,\), but the variable has shape \(\)"
    ):
        optimizers.SGD().apply_gradients([(tf.ones([2]), tf.Variable(1.0))])


def test_learning_rate_may_change_and_may_be_a_function() -> None:
    v, sgd = tf.Variable(1.0), optimizers.SGD(0.5)
    sgd.learning_rate = 0.25
    sgd.apply([tf.constant(1.0)], [v])
    assert float(v) == 0.75
    sgd.learning_rate = lambda: 0.75
    sgd.apply([tf.constant(1.0)], [v])
    assert float(v) == 0.0


def test_optimizer_steps_are_not_recorded() -> None:
    v = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        before = v * 3.0
        optimizers.SGD(1.0).apply_gradients([(tf.constant(1.0), v)])
    assert float(tape.gradient(before, v)) == 3.0


def test_schedule_is_called_for_each_step_from_0() -> None:
    requested = []

    class Schedule(optimizers.schedules.LearningRateSchedule):
        def __call__(self, step: Any) -> Any:
            requested.append(int(step))
            return 0.5

    v, sgd = tf.Variable(1.0), optimizers.SGD(Schedule())
    for _ in range(2):
        sgd.apply_gradients([(tf.constant(1.0), v)])
    assert (requested, float(v)) == ([0, 1], 0.0)


@pytest.mark.parametrize(
    ("settings", "steps"),
    [
        ({"clipvalue": 2.0}, [[-2.0, -2.0], [-1.0]]),
        # Alone, [3, 4] has length 5 and [1] is short enough.
        ({"clipnorm": 2.5}, [[-1.5, -2.0], [-1.0]]),
        # Together they have length √26.
        ({"global_clipnorm": 26**0.5 / 2}, [[-1.5, -2.0], [-0.5]]),
    ],
)
def test_clipping_options(settings: Any, steps: Any) -> None:
    variables = [tf.Variable([0.0, 0.0]), tf.Variable([0.0])]
    gradients = [tf.constant([3.0, 4.0]), tf.constant([1.0])]
    optimizers.SGD(1.0, **settings).apply(gradients, variables)
    for variable, step in zip(variables, steps, strict=True):
        np.testing.assert_allclose(variable, step, rtol=1e-6)


def test_nan_makes_every_gradient_nan_with_global_clipnorm() -> None:
    variables = [tf.Variable(0.0), tf.Variable(0.0)]
    optimizers.SGD(1.0, global_clipnorm=1.0).apply(
        [tf.constant(np.nan), tf.constant(1.0)], variables
    )
    assert all(np.isnan(variable.numpy()) for variable in variables)


def test_weight_decay_is_applied_before_the_step() -> None:
    v = tf.Variable(10.0)
    optimizers.SGD(0.5, weight_decay=0.1).apply([tf.constant(1.0)], [v])
    np.testing.assert_allclose(v, 10.0 - 10.0 * 0.1 * 0.5 - 0.5)


def test_unknown_settings_raise() -> None:
    with pytest.raises(ValueError, match=r"not recognized: {'speed': 3}"):
        optimizers.Adam(speed=3)
    with pytest.raises(ValueError, match="Only one"):
        optimizers.Adam(clipnorm=1.0, global_clipnorm=1.0)


def test_clipped_indexed_slices_stay_sparse() -> None:
    """The rows are clipped before they are added up: 3 and 3 become 1 and 1."""
    v = tf.Variable(tf.zeros([2, 1]))
    rows = tf.IndexedSlices(tf.constant([[3.0], [3.0]]), tf.constant([1, 1]), tf.constant([2, 1]))
    optimizers.SGD(1.0, clipvalue=1.0).apply_gradients([(rows, v)])
    assert v.numpy().tolist() == [[0.0], [-2.0]]


def test_error_for_unknown_schedule_lists_schedules() -> None:
    with pytest.raises(TypeError, match=r"(?s)Unknown schedule: 'Sine'.*CosineDecay"):
        optimizers.schedules.deserialize({"class_name": "Sine", "config": {}})


def test_sparse_sgd_step_does_not_change_other_rows() -> None:
    table = tf.Variable(tf.ones([3, 2]))
    rows = tf.IndexedSlices(tf.ones([2, 2]), tf.constant([0, 0]), tf.constant([3, 2]))
    optimizers.SGD(0.25).apply_gradients([(rows, table)])
    np.testing.assert_array_equal(table, [[0.5, 0.5], [1, 1], [1, 1]])


@pytest.mark.parametrize(
    "kind",
    [tf.keras.optimizers.Adam, tf.keras.optimizers.Nadam, tf.keras.optimizers.SGD],
)
def test_step_in_place_does_not_change_earlier_reads(kind: Any) -> None:
    """The second step writes to the array of the first one, unless an earlier read still holds it."""
    v, optimizer = tf.Variable([1.0, 2.0]), kind(0.5)
    seen = []
    for _ in range(3):
        tensor, view = v.read_value(), v.numpy()
        seen.append((tensor, view.copy()))
        optimizer.apply([tf.constant([0.1, 0.2])], [v])
        slots = [slot.read_value() for slot in optimizer.variables[2:]]
        kept = [slot.numpy() for slot in slots]
        optimizer.apply([tf.constant([0.3, 0.1])], [v])
        assert [slot.numpy().tolist() for slot in slots] == [each.tolist() for each in kept]
    for tensor, array in seen:
        assert tensor.numpy().tolist() == array.tolist()


def test_tape_keeps_values_that_it_read() -> None:
    v, optimizer = tf.Variable([3.0]), tf.keras.optimizers.Adam(1.0)
    with tf.GradientTape(persistent=True) as tape:
        y = v * v
    for _ in range(2):
        optimizer.apply([tf.constant([1.0])], [v])
        assert tape.gradient(y, v).numpy().tolist() == [6.0]


@pytest.mark.parametrize(
    ("named", "given", "is_taken"),
    [
        ("SGD", {"use_ema": True, "ema_momentum": 0.0}, True),
        ("SGD", {"use_ema": True, "ema_momentum": 0.5}, True),
        ("SGD", {"use_ema": True, "ema_momentum": 1.0}, True),
        ("SGD", {"use_ema": True, "ema_momentum": 1.01}, False),
        ("SGD", {"use_ema": True, "ema_overwrite_frequency": 1}, True),
        ("SGD", {"use_ema": True, "ema_overwrite_frequency": 0}, False),
        ("SGD", {"gradient_accumulation_steps": 2}, True),
        ("SGD", {"gradient_accumulation_steps": 1}, False),
        ("SGD", {"clipnorm": 1.0, "clipvalue": 1.0}, False),
        ("Ftrl", {"learning_rate_power": 0.0}, True),
        ("Ftrl", {"learning_rate_power": 0.5}, False),
        ("Ftrl", {"l1_regularization_strength": 0.0}, True),
        ("Ftrl", {"l2_regularization_strength": 0.5}, True),
        ("Ftrl", {"l2_shrinkage_regularization_strength": -0.5}, False),
    ],
    ids=str,
)
def test_setting_is_accepted_up_to_its_bound(
    named: str, given: dict[str, Any], is_taken: bool
) -> None:
    optimizer = getattr(tf.keras.optimizers, named)
    if is_taken:
        assert optimizer(**given).get_config().items() >= given.items()
    else:
        with pytest.raises(ValueError, match=next(iter(reversed(given)))):
            optimizer(**given)
