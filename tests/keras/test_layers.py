"""Layers: their weights, when these are created, what they are called, and what layers compute."""

import copy
import pickle
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


def test_dense_creates_its_weights_at_the_first_input() -> None:
    layer = keras.layers.Dense(2)
    assert layer.trainable_variables == []
    layer(tf.ones([1, 3]))
    assert [tuple(v.shape) for v in layer.trainable_variables] == [(3, 2), (2,)]
    assert paths(layer) == ["dense/kernel", "dense/bias"]
    assert layer.kernel.name == "kernel"
    assert repr(layer.bias) == (
        "<Variable path=dense/bias, shape=(2,), dtype=float32, value=[0. 0.]>"
    )


def test_dense_computes_product_sum_and_activation() -> None:
    layer = keras.layers.Dense(
        1, activation="relu", kernel_initializer="ones", bias_initializer="ones"
    )
    assert layer(tf.constant([[1.0, 2.0], [-5.0, 1.0]])).numpy().tolist() == [[4.0], [0.0]]


def test_dense_accepts_arrays_and_integers_but_not_lists() -> None:
    layer = keras.layers.Dense(1, kernel_initializer="ones")
    for inputs in (np.array([[1.0, 2.0]]), tf.constant([[1, 2]])):
        y = layer(inputs)
        assert y.dtype == tf.float32
        assert y.numpy().tolist() == [[3.0]]
    with pytest.raises(ValueError, match="Only input tensors"):
        layer([[1.0, 2.0]])
    assert tuple(layer(tf.ones([4, 5, 2])).shape) == (4, 5, 1)


@pytest.mark.parametrize(
    ("shape", "message"),
    [([2], "min_ndim=2, found ndim=1"), ([1, 3], "axis -1 of input shape to have value 2")],
)
def test_mismatched_input_raises_value_error(shape: list[int], message: str) -> None:
    layer = keras.layers.Dense(1)
    layer(tf.ones([1, 2]))
    with pytest.raises(ValueError, match=message):
        layer(tf.ones(shape))


def test_layer_stays_unbuilt_after_refused_first_input() -> None:
    layer = keras.layers.Dense(1)
    with pytest.raises(ValueError, match="min_ndim=2"):
        layer(tf.ones([2]))
    assert layer.variables == []


def test_layer_built_explicitly_keeps_its_weights() -> None:
    cell = keras.layers.SimpleRNNCell(2)
    cell.build((None, 3))
    before = cell.kernel
    cell(tf.ones([1, 3]), [tf.zeros([1, 2])])
    assert cell.kernel is before


def test_gradient_of_embedding_is_indexed_slices() -> None:
    layer = keras.layers.Embedding(5, 2)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(layer(tf.constant([1, 1, 4])))
    (rows,) = tape.gradient(y, layer.trainable_variables)
    assert isinstance(rows, tf.IndexedSlices)
    assert rows.indices.numpy().tolist() == [1, 1, 4]


def test_flatten_keeps_the_batch_axis() -> None:
    assert tuple(keras.layers.Flatten()(tf.ones([2, 3, 4])).shape) == (2, 12)
    assert tuple(keras.layers.Flatten()(tf.ones([2])).shape) == (2, 1)


def test_dropout_is_active_only_in_training_and_keeps_the_mean() -> None:
    layer = keras.layers.Dropout(0.5, seed=1)
    x = tf.ones([1000])
    assert layer(x).numpy().tolist() == x.numpy().tolist()
    dropped = layer(x, training=True).numpy()
    assert set(dropped.tolist()) == {0.0, 2.0}
    # The fraction of zeros has a standard deviation of √(¼/1000) = 0.016.
    assert abs((dropped == 0).mean() - 0.5) < 0.08
    with pytest.raises(ValueError, match="rate"):
        keras.layers.Dropout(1.5)


def test_custom_layer() -> None:
    class Scale(keras.layers.Layer):
        def build(self, input_shape: Any) -> None:
            self.by = self.add_weight(shape=(input_shape[-1],), initializer="ones", name="by")
            self.seen = self.add_weight(shape=(), initializer="zeros", trainable=False, name="seen")

        def call(self, inputs: Any) -> Any:
            return inputs * self.by

    layer = Scale()
    x = tf.constant([[2.0, 3.0]])
    with tf.GradientTape() as tape:
        y = layer(x)
    assert paths(layer) == ["scale/by"]
    assert [v.path for v in layer.non_trainable_variables] == ["scale/seen"]
    assert tape.gradient(y, layer.by).numpy().tolist() == [2.0, 3.0]


def test_error_for_layer_without_super_init_suggests_it() -> None:
    class Forgetful(keras.layers.Layer):
        def __init__(self) -> None:
            pass

    with pytest.raises(RuntimeError, match=r"super\(\).__init__\(\)"):
        Forgetful()(tf.ones([1, 1]))


def test_frozen_weights_are_not_trainable_but_still_watched() -> None:
    """As in Keras, whether the layer was frozen before or after its weights were created."""
    early, late = keras.layers.Dense(1), keras.layers.Dense(1)
    early.trainable = False
    late(tf.ones([1, 2]))
    late.trainable = False
    for layer in (early, late):
        with tf.GradientTape() as tape:
            y = layer(tf.ones([1, 2]))
        assert layer.trainable_variables == []
        assert [weight.trainable for weight in layer.weights] == [False, False]
        assert None not in tape.gradient(y, layer.variables)


def test_unfreezing_restores_only_weights_that_were_trainable() -> None:
    class Counting(keras.layers.Layer):
        def build(self, input_shape: Any) -> None:
            self.by = self.add_weight((1,), name="by")
            self.seen = self.add_weight((), trainable=False, name="seen")

        def call(self, inputs: Any) -> Any:
            return inputs * self.by

    layer = Counting()
    layer(tf.ones([1, 1]))
    layer.trainable = False
    layer.trainable = True
    assert paths(layer) == ["counting/by"]


def test_single_weight_can_be_frozen() -> None:
    layer = keras.layers.Dense(1)
    layer(tf.ones([1, 2]))
    layer.kernel.trainable = False
    assert paths(layer) == ["dense/bias"]


def test_default_names_are_numbered() -> None:
    assert [keras.layers.Dense(1).name for _ in range(3)] == ["dense", "dense_1", "dense_2"]
    assert keras.layers.Dense(1, name="last").name == "last"


def test_set_weights_and_get_weights() -> None:
    layer = keras.layers.Dense(1, kernel_initializer="ones")
    layer(tf.ones([1, 2]))
    layer.set_weights([np.array([[3.0], [4.0]]), np.array([5.0])])
    assert [w.tolist() for w in layer.get_weights()] == [[[3.0], [4.0]], [5.0]]
    assert layer.count_params() == 3
    with pytest.raises(ValueError, match="2 weights, but `set_weights` received 1"):
        layer.set_weights([np.ones([2, 1])])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("linear", [-1.0, 0.0, 2.0]),
        ("relu", [0.0, 0.0, 2.0]),
        ("tanh", np.tanh([-1.0, 0.0, 2.0])),
        ("sigmoid", 1 / (1 + np.exp([1.0, 0.0, -2.0]))),
        ("softplus", np.log1p(np.exp([-1.0, 0.0, 2.0]))),
        ("exponential", np.exp([-1.0, 0.0, 2.0])),
    ],
)
def test_activation_by_name(name: str, expected: Any) -> None:
    y = keras.layers.Activation(name)(tf.constant([-1.0, 0.0, 2.0]))
    np.testing.assert_allclose(y, expected, rtol=1e-6)


def test_unknown_activation_raises() -> None:
    with pytest.raises(
        ValueError, match="Could not interpret activation function identifier: rleu"
    ):
        keras.layers.Dense(1, activation="rleu")


@pytest.mark.parametrize(
    ("name", "deviation"),
    [
        ("glorot_uniform", 0.0816),
        ("glorot_normal", 0.0816),
        ("he_uniform", 0.1414),
        ("he_normal", 0.1414),
    ],
)
def test_initializer_has_its_documented_deviation(name: str, deviation: float) -> None:
    """For 100 inputs and 200 outputs: √(2/300) for Glorot, √(2/100) for He."""
    tf.random.set_seed(5)
    numbers = keras.initializers.get(name)((100, 200)).numpy()
    assert abs(numbers.std() - deviation) < 0.002
    assert abs(numbers.mean()) < 0.005


def test_constant_initializer_and_unknown_initializer() -> None:
    assert keras.initializers.Constant(3)([2]).numpy().tolist() == [3.0, 3.0]
    with pytest.raises(ValueError, match="initializer"):
        keras.layers.Dense(1, kernel_initializer="lucky")


@pytest.mark.parametrize("beside", [0.5, 3, "text", None, np.float32(2.0)])
def test_layer_may_return_plain_values_with_its_tensors(beside: Any) -> None:
    class Beside(keras.layers.Layer):
        def call(self, x: Any) -> Any:
            return {"out": x, "beside": beside}

    answer = Beside()(tf.ones([1, 2]))
    assert answer["out"].shape == (1, 2)
    assert answer["beside"] is beside


def test_predict_of_single_number_runs_one_batch() -> None:
    class Size(keras.Model):
        def call(self, x: Any) -> Any:
            return {"out": x, "size": float(tf.reduce_sum(x))}

    answer = Size().predict(np.ones([2, 1], np.float32), verbose=0)
    assert answer["out"].shape == (2, 1)
    assert answer["size"] == 2.0


# --- tracked layers and weights, and changes to them ---


def counted(model: Any) -> int:
    return len(model.weights)


def built() -> Any:
    layer = keras.layers.Dense(1)
    layer.build((None, 1))
    return layer


def test_layer_added_to_list_or_dict_is_tracked() -> None:
    model = keras.Model()
    model.listed, model.named, model.deep = [built()], {}, ([[]], 1)
    assert counted(model) == 2
    model.listed.append(built())
    assert counted(model) == 4
    model.named["x"] = built()
    assert counted(model) == 6
    model.deep[0][0].append(built())
    assert counted(model) == 8
    model.listed[0] = model.listed[1]
    assert counted(model) == 6
    model.listed.clear()
    del model.named["x"]
    assert counted(model) == 2


def test_setting_or_deleting_an_attribute_changes_tracked_layers() -> None:
    model = keras.Model()
    model.first = built()
    assert counted(model) == 2
    model.second = model.first
    assert counted(model) == 2
    model.second = built()
    assert counted(model) == 4
    del model.first
    assert counted(model) == 2
    model.second = None
    assert counted(model) == 0


def test_change_in_nested_layer_is_visible_in_the_model() -> None:
    inner, late = keras.Sequential([built()]), keras.layers.Dense(1)
    model = keras.Sequential([inner, late])
    assert len(model.trainable_weights) == 2
    inner.layers[0].trainable = False
    assert len(model.trainable_weights) == 0
    late.build((None, 1))
    assert len(model.trainable_weights) == 2
    inner.add(built())
    assert counted(model) == 6


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_copy_of_model_has_its_own_weights(copied: Any) -> None:
    model = keras.Sequential([built()])
    before = [weight.numpy().tolist() for weight in model.weights]
    other = copied(model)
    assert [weight.numpy().tolist() for weight in other.weights] == before
    other.layers[0].kernel.assign([[5.0]])
    assert [weight.numpy().tolist() for weight in model.weights] == before
    other.add(built())
    assert (counted(model), counted(other)) == (2, 4)


def test_rms_normalization_of_zeros_is_zero() -> None:
    np.testing.assert_array_equal(
        tf.keras.layers.RMSNormalization()(tf.zeros([2, 3])), [[0.0] * 3] * 2
    )


def test_second_mask_of_attention_masks_the_values() -> None:
    """Both rows of the query attend to the first value alone; the second row is masked itself."""
    query, value = tf.ones([1, 2, 1]), tf.constant([[[3.0], [5.0]]])
    masks = [tf.constant([[True, False]]), tf.constant([[True, False]])]
    seen = tf.keras.layers.Attention()([query, value], mask=masks)
    np.testing.assert_array_equal(seen, [[[3.0], [0.0]]])
    turned = tf.keras.layers.Attention()(
        [query, value], mask=[masks[0], tf.constant([[False, True]])]
    )
    np.testing.assert_array_equal(turned, [[[5.0], [0.0]]])
