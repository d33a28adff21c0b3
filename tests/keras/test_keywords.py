"""Arguments of layers: no keyword is swallowed, and each accepted keyword has an effect."""

import inspect
from typing import Any

import numpy as np
import pytest

import minitape as tf

keras = tf.keras
layers = keras.layers

# Arguments that a layer's constructor requires, if its first arguments are not numbers.
GIVEN: dict[str, tuple[Any, ...]] = {
    "Activation": ("relu",),
    "Bidirectional": (layers.LSTM(2),),
    "Dropout": (0.5,),
    "EinsumDense": ("ab,bc->ac", 2),
    "GaussianDropout": (0.5,),
    "GaussianNoise": (0.5,),
    "AlphaDropout": (0.5,),
    "Lambda": (lambda x: x,),
    "Permute": ((2, 1),),
    "RNN": (layers.LSTMCell(2),),
    "Reshape": ((2, 1),),
    "StackedRNNCells": ([layers.LSTMCell(2)],),
    "TimeDistributed": (layers.Dense(2),),
    "Wrapper": (layers.Dense(2),),
    "InputLayer": ((2,),),
}
# These two accept no further keywords in Keras: Python itself refuses unknown ones.
NAMED = {"SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D"}
KINDS = [
    name
    for name in layers.__all__
    if isinstance(getattr(layers, name), type) and name not in {*NAMED, "Layer"}
]


def arguments(kind: type) -> tuple[Any, ...]:
    if kind.__name__ in GIVEN:
        return GIVEN[kind.__name__]
    parameters = list(inspect.signature(kind).parameters.values())
    return tuple(2 for each in parameters if each.default is each.empty and each.kind == 1)


@pytest.mark.together("name", KINDS)
def test_layer_refuses_unknown_keyword(name: str) -> None:
    kind = getattr(layers, name)
    kind(*arguments(kind))
    with pytest.raises(ValueError, match="Unrecognized keyword arguments"):
        kind(*arguments(kind), no_such_keyword=1)


def test_error_suggests_nearest_spelling() -> None:
    with pytest.raises(ValueError, match=r"try : write `Dense\(activation="):
        layers.Dense(1, activations="relu")
    with pytest.raises(ValueError, match=r"try : write `LSTM\(recurrent_dropout="):
        layers.LSTM(1, recurent_dropout=0.5)


@pytest.mark.together("name", sorted(set(KINDS) - {"Wrapper", "InputLayer"}))
def test_layer_is_recreated_from_its_config(name: str) -> None:
    kind = getattr(layers, name)
    layer = kind(*arguments(kind), name="of_mine")
    again = kind.from_config(layer.get_config())
    assert type(again) is kind
    assert again.name == "of_mine"
    assert again.get_config().keys() == layer.get_config().keys()


def test_dropout_of_sequence_is_the_same_at_all_steps() -> None:
    """With ones as weights and no memory, the output of a step is the number of inputs that were kept, times two."""
    layer = layers.SimpleRNN(
        1,
        activation="linear",
        kernel_initializer="ones",
        recurrent_initializer="zeros",
        dropout=0.5,
        return_sequences=True,
    )
    y = layer(tf.ones([50, 3, 4]), training=True).numpy()[..., 0]
    assert (y == y[:, :1]).all()
    assert len(set(y[:, 0].tolist())) > 1
    assert (layer(tf.ones([1, 3, 4])).numpy() == 4.0).all()


def test_recurrent_dropout_changes_the_state_in_training() -> None:
    tf.random.set_seed(1)
    layer = layers.LSTM(20, recurrent_dropout=0.5)
    x = tf.ones([2, 3, 4])
    calm = layer(x).numpy()
    assert np.abs(layer(x, training=True).numpy() - calm).max() > 1e-4
    np.testing.assert_array_equal(layer(x), calm)


def test_symbolic_call_changes_no_weight() -> None:
    norm = layers.BatchNormalization()
    norm(keras.Input((2,)), training=True)
    assert norm.moving_variance.numpy().tolist() == [1.0, 1.0]


def test_optimizer_applies_weight_constraint() -> None:
    layer = layers.Dense(1, kernel_initializer="ones", kernel_constraint="non_neg")
    x = tf.ones([1, 2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(x))
    sgd = keras.optimizers.SGD(10.0)
    sgd.apply_gradients([(tape.gradient(loss, layer.kernel), layer.kernel)])
    assert layer.kernel.numpy().tolist() == [[0.0], [0.0]]


def test_random_flip_mirrors_about_half_of_the_images() -> None:
    tf.random.set_seed(2)
    pictures = tf.reshape(tf.constant([1.0, 2.0] * 400), [400, 1, 2, 1])
    layer = layers.RandomFlip("horizontal")
    first = layer(pictures).numpy()[:, 0, 0, 0]
    # The fraction has a standard deviation of √(¼/400) = 0.025.
    assert abs((first == 2.0).mean() - 0.5) < 0.1
    np.testing.assert_array_equal(layer(pictures, training=False), pictures)


def test_unsupported_argument_raises() -> None:
    for make in (
        lambda: layers.Dense(1, lora_rank=2),
        lambda: layers.BatchNormalization(renorm=True),
        lambda: layers.MultiHeadAttention(1, 2, flash_attention=True),
        lambda: keras.Input((2,), sparse=True),
    ):
        with pytest.raises(tf.errors.UnimplementedError, match="is not supported"):
            make()
