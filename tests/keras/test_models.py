"""Models: the order and names of their weights, and custom training loops."""

from typing import Any

import numpy as np
import pytest

import minitape as tf

keras = tf.keras


@pytest.fixture(autouse=True)
def names_from_the_start() -> None:
    keras.backend.clear_session()


def paths(layer: Any) -> list[str]:
    return [variable.path for variable in layer.trainable_variables]


def test_sequential_without_input_has_no_weights_before_its_first_call() -> None:
    model = keras.Sequential([keras.layers.Dense(2), keras.layers.Dense(1)])
    assert model.trainable_variables == []
    model(tf.ones([1, 3]))
    assert paths(model) == [
        "sequential/dense/kernel",
        "sequential/dense/bias",
        "sequential/dense_1/kernel",
        "sequential/dense_1/bias",
    ]


def test_sequential_with_input_has_weights_immediately() -> None:
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, name="hidden")])
    assert paths(model) == ["sequential/hidden/kernel", "sequential/hidden/bias"]
    assert [layer.name for layer in model.layers] == ["hidden"]


def test_subclassed_model_tracks_layers_in_attributes_and_lists() -> None:
    class Net(keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.first = keras.layers.Dense(2)
            self.rest = [keras.layers.Dense(1)]
            self.scale = tf.Variable(3.0)

        def call(self, inputs: Any, training: bool = False) -> Any:
            return self.rest[0](self.first(inputs)) * self.scale

    model = Net()
    model(tf.ones([1, 3]))
    # As in Keras 3, a plain tf.Variable is not a weight of the model.
    assert paths(model) == [
        "net/dense/kernel",
        "net/dense/bias",
        "net/dense_1/kernel",
        "net/dense_1/bias",
    ]


def test_training_argument_reaches_every_layer_that_accepts_it() -> None:
    model = keras.Sequential(
        [keras.layers.Dropout(1.0), keras.layers.Dense(1, kernel_initializer="ones")]
    )
    x = tf.ones([1, 2])
    assert float(model(x)[0, 0]) == 2.0
    assert float(model(x, training=True)[0, 0]) == 0.0


def test_frozen_layer_is_not_in_trainable_variables() -> None:
    model = keras.Sequential([keras.layers.Dense(1), keras.layers.Dense(1)])
    model(tf.ones([1, 2]))
    model.layers[0].trainable = False
    assert paths(model) == ["sequential/dense_1/kernel", "sequential/dense_1/bias"]
    assert len(model.variables) == 4


def test_custom_training_loop_fits_a_line() -> None:
    """y = 2x + 1 without noise: gradient descent must find 2 and 1."""
    keras.utils.set_random_seed(0)
    x = tf.reshape(tf.linspace(-1.0, 1.0, 20), [-1, 1])
    model, sgd = keras.Sequential([keras.layers.Dense(1)]), keras.optimizers.SGD(0.3)
    for _ in range(100):
        with tf.GradientTape() as tape:
            loss = keras.losses.MeanSquaredError()(2.0 * x + 1.0, model(x))
        sgd.apply_gradients(
            zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
        )
    kernel, bias = model.get_weights()
    np.testing.assert_allclose([kernel[0, 0], bias[0]], [2.0, 1.0], atol=1e-5)


def test_same_seed_creates_same_model() -> None:
    def kernel() -> Any:
        keras.utils.set_random_seed(3)
        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(4)])
        return model.get_weights()[0], np.random.rand()

    (first, drawn), (again, drawn_again) = kernel(), kernel()
    np.testing.assert_array_equal(first, again)
    assert drawn == drawn_again


def test_object_that_is_not_a_layer_raises() -> None:
    with pytest.raises(ValueError, match="Lambda"):
        keras.Sequential([tf.nn.relu])


def test_to_categorical_returns_one_hot_rows() -> None:
    assert keras.utils.to_categorical([0, 2]).tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


# --- functional models ---


def functional_model() -> Any:
    """(2a + 1) + b, where a runs through a Dense."""
    a, b = keras.Input((1,)), keras.Input((1,), name="b")
    doubled = keras.layers.Dense(
        1, kernel_initializer=keras.initializers.Constant(2.0), bias_initializer="ones"
    )(a)
    return keras.Model(inputs=[a, b], outputs=keras.layers.Add()([doubled, b]))


def test_functional_model_runs_its_layers_in_order() -> None:
    model = functional_model()
    y = model([tf.constant([[1.0], [2.0]]), tf.constant([[10.0], [20.0]])])
    assert y.numpy().tolist() == [[13.0], [25.0]]
    assert paths(model) == ["dense/kernel", "dense/bias"]
    assert [layer.name for layer in model.layers] == ["input_layer", "dense", "b", "add"]


def test_functional_model_has_gradients() -> None:
    model = functional_model()
    with tf.GradientTape() as tape:
        y = model([tf.constant([[3.0]]), tf.constant([[1.0]])])
    kernel, bias = tape.gradient(y, model.trainable_variables)
    assert (kernel.numpy().tolist(), bias.numpy().tolist()) == ([[3.0]], [1.0])


def test_symbolic_tensor_has_shape_and_dtype() -> None:
    x = keras.Input((8, 8, 3))
    y = keras.layers.Conv2D(4, 3)(x)
    assert y.shape == (None, 6, 6, 4)
    assert y.dtype == tf.float32


def test_layer_that_is_called_twice_shares_its_weights() -> None:
    layer, x = keras.layers.Dense(1, kernel_initializer="ones", use_bias=False), keras.Input((1,))
    model = keras.models.Model(x, layer(layer(x)))
    assert len(model.trainable_variables) == 1
    with tf.GradientTape() as tape:
        y = model(tf.constant([[5.0]]))
    assert float(tape.gradient(y, layer.kernel)[0, 0]) == 10.0


def test_layer_with_several_outputs_runs_once() -> None:
    class Split(keras.layers.Layer):
        runs = 0

        def call(self, inputs: Any) -> Any:
            self.runs += 1
            return tf.split(inputs, 2, axis=1)

    layer, x = Split(), keras.Input((2,))
    left, right = layer(x)
    model = keras.Model(x, {"difference": keras.layers.Subtract()([right, left]), "left": left})
    layer.runs = 0
    answers = model(tf.constant([[1.0, 5.0]]))
    assert {name: y.numpy().tolist() for name, y in answers.items()} == {
        "difference": [[4.0]],
        "left": [[1.0]],
    }
    assert layer.runs == 1


def test_functional_model_passes_training_argument_as_a_layer() -> None:
    x = keras.Input((1,))
    inner = keras.Model(x, keras.layers.Dropout(1.0)(x))
    y = keras.Input((1,))
    outer = keras.Model(y, inner(y))
    assert outer(tf.ones([1, 1])).numpy().tolist() == [[1.0]]
    assert outer(tf.ones([1, 1]), training=True).numpy().tolist() == [[0.0]]


def test_error_names_missing_input() -> None:
    a, b = keras.Input((1,)), keras.Input((1,), name="forgotten")
    with pytest.raises(ValueError, match="'forgotten'"):
        keras.Model(a, keras.layers.Add()([a, b]))


def test_functional_model_requires_all_inputs() -> None:
    with pytest.raises(ValueError, match="2 inputs, but received 1"):
        functional_model()(tf.ones([1, 1]))


def test_op_on_symbolic_tensor_raises() -> None:
    """Only layers accept symbolic tensors, in TensorFlow too."""
    with pytest.raises(ValueError, match="not to TensorFlow or NumPy functions"):
        tf.nn.relu(keras.Input((1,)))


def test_inner_layer_receives_training_argument_of_outer_call() -> None:
    class Net(keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.drop = keras.layers.Dropout(1.0)

        def call(self, inputs: Any) -> Any:
            return self.drop(inputs)

    net, x = Net(), tf.ones([1])
    assert net(x).numpy().tolist() == [1.0]
    assert net(x, training=True).numpy().tolist() == [0.0]
    assert net(x).numpy().tolist() == [1.0]


def test_model_may_end_at_a_layer_of_another_model() -> None:
    """The layer is shared, and so are its weights: with all weights 1, a row of ones adds up to 2."""
    start = keras.Input(shape=(2,))
    middle = keras.layers.Dense(3, kernel_initializer="ones", name="middle")(start)
    whole = keras.Model(start, keras.layers.Dense(1)(middle))
    half = keras.Model(whole.input, [whole.get_layer("middle").output, whole.output])
    assert whole.get_layer(index=1) is whole.get_layer("middle")
    np.testing.assert_array_equal(half(tf.ones([1, 2]))[0], [[2.0, 2.0, 2.0]])


def test_missing_or_uncalled_layer_raises() -> None:
    model = keras.Sequential([keras.layers.Dense(1, name="only")])
    with pytest.raises(ValueError, match="no layer 'other'"):
        model.get_layer("other")
    with pytest.raises(AttributeError, match="called 0 times on symbolic tensors"):
        _ = model.get_layer("only").output


def test_built_and_called_sequential_have_same_weight_names() -> None:
    built, called = (keras.Sequential([keras.layers.Dense(1)], name="net") for _ in range(2))
    built.build((None, 2))
    called(tf.ones((1, 2)))
    for model in (built, called):
        layer = model.layers[-1].name
        assert [each.path for each in model.weights] == [f"net/{layer}/kernel", f"net/{layer}/bias"]


@pytest.mark.parametrize("shape", [(5,), (5, 1), (5, 1, 1)])
def test_last_axis_of_size_1_is_added_or_dropped_to_match_the_input(
    shape: tuple[int, ...],
) -> None:
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(2)])
    assert model(tf.ones(shape)).shape == (5, 2)


@pytest.mark.parametrize("shape", [(5, 2), (5, 1, 2), (5, 2, 1)])
def test_incompatible_shape_raises(shape: tuple[int, ...]) -> None:
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(2)])
    with pytest.raises(ValueError, match="incompatible"):
        model(tf.ones(shape))
