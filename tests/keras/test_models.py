"""Models: the order and names of their weights, and training by hand."""

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


def test_a_sequential_without_input_has_no_weights_before_its_first_call() -> None:
    model = keras.Sequential([keras.layers.Dense(2), keras.layers.Dense(1)])
    assert model.trainable_variables == []
    model(tf.ones([1, 3]))
    assert paths(model) == [
        "sequential/dense/kernel",
        "sequential/dense/bias",
        "sequential/dense_1/kernel",
        "sequential/dense_1/bias",
    ]


def test_a_sequential_with_an_input_has_them_at_once() -> None:
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, name="hidden")])
    assert paths(model) == ["sequential/hidden/kernel", "sequential/hidden/bias"]
    assert [layer.name for layer in model.layers] == ["hidden"]


def test_a_model_of_ones_own_finds_layers_in_attributes_and_lists() -> None:
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
    # As in Keras 3, a plain tf.Variable is no weight of the model.
    assert paths(model) == [
        "net/dense/kernel",
        "net/dense/bias",
        "net/dense_1/kernel",
        "net/dense_1/bias",
    ]


def test_training_reaches_every_layer_that_asks_for_it() -> None:
    model = keras.Sequential(
        [keras.layers.Dropout(1.0), keras.layers.Dense(1, kernel_initializer="ones")]
    )
    x = tf.ones([1, 2])
    assert float(model(x)[0, 0]) == 2.0
    assert float(model(x, training=True)[0, 0]) == 0.0


def test_a_frozen_layer_leaves_the_list_of_the_model() -> None:
    model = keras.Sequential([keras.layers.Dense(1), keras.layers.Dense(1)])
    model(tf.ones([1, 2]))
    model.layers[0].trainable = False
    assert paths(model) == ["sequential/dense_1/kernel", "sequential/dense_1/bias"]
    assert len(model.variables) == 4


def test_a_line_is_learned_by_hand() -> None:
    """y = 2x + 1 without noise: gradient descent has to find 2 and 1."""
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


def test_the_same_seed_gives_the_same_model() -> None:
    def kernel() -> Any:
        keras.utils.set_random_seed(3)
        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(4)])
        return model.get_weights()[0], np.random.rand()

    (first, drawn), (again, drawn_again) = kernel(), kernel()
    np.testing.assert_array_equal(first, again)
    assert drawn == drawn_again


def test_what_is_no_layer_is_refused() -> None:
    with pytest.raises(ValueError, match="Lambda"):
        keras.Sequential([tf.nn.relu])


def test_there_is_no_fit_and_the_message_says_what_to_write() -> None:
    with pytest.raises(TypeError, match="GradientTape"):
        keras.Sequential([]).fit([1.0], [1.0])


def test_a_summary_counts_the_weights(capsys: pytest.CaptureFixture[str]) -> None:
    keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)]).summary()
    printed = capsys.readouterr().out
    assert "dense" in printed
    assert printed.rstrip().endswith("8")


def test_class_numbers_become_rows() -> None:
    assert keras.utils.to_categorical([0, 2]).tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
