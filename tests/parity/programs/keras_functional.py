"""Drawn models of Keras: symbols with operators, slices and functions, what models take, and in which order layers are listed."""

from typing import Any

from programs.case import Case, Program, rounds, table
from programs.layers import _numbers, _set_weights

_CLOSE = rounds(2e-5, "float32, in another order")


def _about(symbol: Any) -> Any:
    return list(symbol.shape), str(getattr(symbol.dtype, "name", symbol.dtype))


def _drawn(draw: Any, *shapes: Any, dtype: Any = "float32") -> Program:
    """What a function of symbols is said to give, what its model gives, and the slopes."""

    def program(tf: Any, np: Any) -> Any:
        shapes_ = shapes or ((3,),)
        inputs = [
            tf.keras.Input(shape[1:] if None in shape else shape, dtype=dtype) for shape in shapes_
        ]
        answer = draw(tf, np, *inputs)
        model = tf.keras.Model(inputs, answer)
        xs = [tf.cast(_numbers(np, (2, *shape), i) * 3.0, dtype) for i, shape in enumerate(shapes_)]
        with tf.GradientTape() as tape:
            if dtype == "float32":
                tape.watch(xs)
            y = model(xs)
        slopes = tape.gradient(y, xs) if dtype == "float32" and y.dtype.is_floating else None
        return _about(answer), y, slopes

    return program


OPERATORS = {
    "plus_a_number": _drawn(lambda tf, np, x: x * 2.0 + 1.0),
    "a_number_first": _drawn(lambda tf, np, x: 1.0 - 2.0 / (x * x + 1.0)),
    "two_symbols": _drawn(lambda tf, np, x, y: x * y - x / (y * y + 1.0), (3,), (3,)),
    "a_tensor_beside": _drawn(lambda tf, np, x: x * tf.constant([1.0, 2.0, 3.0])),
    "an_array_beside": _drawn(lambda tf, np, x: x + np.array([1.0, 2.0, 3.0], "float32")),
    "a_power": _drawn(lambda tf, np, x: x**2 + 2.0**x),
    "negative_and_absolute": _drawn(lambda tf, np, x: abs(-x)),
    "floor_division_and_rest": _drawn(lambda tf, np, x: x // 0.5 + x % 0.5),
    "a_product_of_matrices": _drawn(lambda tf, np, x: x @ tf.ones([3, 2])),
    "a_comparison": _drawn(lambda tf, np, x: x < 0.5),
    "logic": _drawn(lambda tf, np, x: ((x < 0.5) & (x > -0.5)) | ~(x >= 0.0)),
    "not_equal": _drawn(lambda tf, np, x: x != 0.5),
    "rounding": _drawn(lambda tf, np, x: round(x)),
    "a_quotient_of_ints": _drawn(lambda tf, np, x: x / 2, dtype="int32"),
    "an_int_and_a_float": _drawn(lambda tf, np, x: x * 0.5, dtype="int32"),
    "a_slice": _drawn(lambda tf, np, x: x[:, 0]),
    "a_slice_of_sequences": _drawn(lambda tf, np, x: x[:, -1, :] * 2.0, (4, 3)),
    "a_new_axis": _drawn(lambda tf, np, x: x[:, None, :]),
    "dots": _drawn(lambda tf, np, x: x[..., 1], (4, 3)),
    "one_example": _drawn(lambda tf, np, x: x[0]),
    "a_reshape": _drawn(lambda tf, np, x: x.reshape((-1, 1))),
    "an_activation": _drawn(lambda tf, np, x: tf.keras.activations.relu(x)),
    "an_activation_with_settings": _drawn(lambda tf, np, x: tf.keras.activations.elu(x, alpha=0.5)),
    "a_lambda": _drawn(
        lambda tf, np, x: tf.keras.layers.Lambda(lambda v: tf.reduce_sum(v, axis=1))(x)
    ),
    "layers_and_operators": _drawn(
        lambda tf, np, x, y: tf.keras.layers.Concatenate()([x + y, tf.keras.layers.ReLU()(x - y)]),
        (3,),
        (3,),
    ),
}

REFUSED = {
    "tf_reshape": lambda tf, np, x: tf.reshape(x, [-1, 3]),
    "tf_relu": lambda tf, np, x: tf.nn.relu(x),
    "tf_matmul": lambda tf, np, x: tf.matmul(x, tf.ones([3, 2])),
    "tf_concat": lambda tf, np, x: tf.concat([x, x], axis=1),
    "tf_stack": lambda tf, np, x: tf.stack([x, x]),
    "tf_reduce_sum": lambda tf, np, x: tf.reduce_sum(x),
    "tf_square": lambda tf, np, x: tf.square(x),
    "tf_exp": lambda tf, np, x: tf.exp(x),
    "tf_cast": lambda tf, np, x: tf.cast(x, tf.int32),
    "tf_add": lambda tf, np, x: tf.add(x, x),
    "tf_convert_to_tensor": lambda tf, np, x: tf.convert_to_tensor(x),
    "an_array_first": lambda tf, np, x: np.array([1.0, 2.0, 3.0]) * x,
    "a_numpy_function": lambda tf, np, x: np.exp(x),
    "a_float": lambda tf, np, x: float(x),
    "a_bool": lambda tf, np, x: bool(x),
    "iteration": lambda tf, np, x: list(x),
    "a_length": lambda tf, np, x: len(x),
    "numpy": lambda tf, np, x: x.numpy(),
    "shapes_that_do_not_fit": lambda tf, np, x: x + tf.keras.Input((2,)),
    "a_layer_of_unknown_size": lambda tf, np, x: tf.keras.layers.Dense(2)(tf.keras.Input((None,))),
    "an_input_without_a_shape": lambda tf, np, x: tf.keras.Input(),
    "an_input_of_an_int": lambda tf, np, x: tf.keras.Input(3),
    "a_model_of_no_symbol": lambda tf, np, x: tf.keras.Model(x, tf.ones([2])),
    "two_layers_of_one_name": lambda tf, np, x: tf.keras.Model(
        x, tf.keras.layers.Dense(2, name="q")(tf.keras.layers.Dense(2, name="q")(x))
    ),
}


def _refused(draw: Any) -> Program:
    return lambda tf, np: draw(tf, np, tf.keras.Input((3,)))


SHAPES = {
    "of_unknown_steps": lambda tf, x: tf.keras.layers.LSTM(2, return_sequences=True)(x),
    "flattened_steps": lambda tf, x: x[:, :, 0],
    "one_step": lambda tf, x: x[:, 0],
    "a_mean": lambda tf, x: tf.keras.layers.GlobalAveragePooling1D()(x),
    "with_a_border": lambda tf, x: tf.keras.layers.ZeroPadding1D(1)(x),
    "a_dense": lambda tf, x: tf.keras.layers.Dense(5)(x),
}


def _shape(draw: Any) -> Program:
    return lambda tf, np: list(draw(tf, tf.keras.Input((None, 4))).shape)


_ALL = {f"symbol_{name}": program for name, program in OPERATORS.items()}
_ALL |= {f"refused_{name}": _refused(draw) for name, draw in REFUSED.items()}
_ALL |= {f"shape_{name}": _shape(draw) for name, draw in SHAPES.items()}
TABLE: tuple[Case, ...] = tuple(map(_CLOSE, table(_ALL)))


# --- what models take and give ---


def _model_of_two(tf: Any) -> Any:
    tf.keras.backend.clear_session()
    a, b = tf.keras.Input((3,), name="a"), tf.keras.Input((2,), name="b")
    return tf.keras.Model((a, b), tf.keras.layers.Concatenate()([a, b]))


def _model_by_key(tf: Any) -> Any:
    tf.keras.backend.clear_session()
    a, b = tf.keras.Input((3,), name="a"), tf.keras.Input((2,), name="b")
    return tf.keras.Model(
        {"a": a, "b": b}, {"c": tf.keras.layers.Concatenate()([a, b]), "d": a + 1.0}
    )


A, B = [[1.0, 2.0, 3.0]], [[4.0, 5.0]]

GIVEN = {
    "a_tuple_of_arrays": lambda tf, np: _model_of_two(tf)((np.array(A), np.array(B))),
    "a_list_of_tensors": lambda tf, np: _model_of_two(tf)([tf.constant(A), tf.constant(B)]),
    "a_dict_by_names": lambda tf, np: _model_of_two(tf)({"a": np.array(A), "b": np.array(B)}),
    "one_of_two": lambda tf, np: _model_of_two(tf)(np.array(A)),
    "a_wrong_shape": lambda tf, np: _model_of_two(tf)((np.array(B), np.array(A))),
    "a_dict": lambda tf, np: _model_by_key(tf)({"a": np.array(A), "b": np.array(B)}),
    "a_dict_without_a_key": lambda tf, np: _model_by_key(tf)({"a": np.array(A)}),
    "a_dict_with_a_key_too_many": lambda tf, np: _model_by_key(tf)(
        {"a": np.array(A), "b": np.array(B), "z": np.array(B)}
    ),
    "a_list_for_a_dict": lambda tf, np: _model_by_key(tf)([np.array(A), np.array(B)]),
}
TABLE += table({f"given_{name}": program for name, program in GIVEN.items()})


def a_list_of_one_output(tf: Any, np: Any) -> Any:
    x = tf.keras.Input((2,))
    return tf.keras.Model(x, [x * 2.0])(np.ones((1, 2)))


def a_list_of_two_outputs(tf: Any, np: Any) -> Any:
    x = tf.keras.Input((2,))
    return tf.keras.Model(x, [x * 2.0, x + 1.0])(np.ones((1, 2)))


def a_column_more(tf: Any, np: Any) -> Any:
    x = tf.keras.Input((2, 1))
    return tf.keras.Model(x, x * 2.0)(np.ones((3, 2)))


def layers_in_order(tf: Any, np: Any) -> Any:
    tf.keras.backend.clear_session()
    keras = tf.keras
    a, b = keras.Input((3,)), keras.Input((3,), name="b")
    one, two = keras.layers.Dense(3, name="one"), keras.layers.Dense(3, name="two")
    left = two(keras.layers.ReLU(name="bend")(one(a)))
    model = keras.Model([a, b], keras.layers.Add(name="sum")([one(b), left]) * 2.0)
    names = [layer.name for layer in model.layers]
    paths = [weight.path for weight in model.weights]
    return (
        names,
        paths,
        model.output_names,
        model.get_layer("two").name,
        model.get_layer(index=1).name,
    )


def shapes_of_a_model(tf: Any, np: Any) -> Any:
    x = tf.keras.Input((4, 3))
    model = tf.keras.Model(x, tf.keras.layers.Dense(2)(x))
    return model.input_shape, model.output_shape, len(model.inputs), model.count_params()


def a_model_inside_another(tf: Any, np: Any) -> Any:
    keras = tf.keras
    x = keras.Input((3,))
    inner = keras.Model(x, keras.layers.Dense(2)(x) + 1.0, name="inner")
    y = keras.Input((3,))
    outer = keras.Model(y, keras.layers.Dense(1)(inner(y) * 2.0))
    _set_weights(np, outer)
    given = tf.constant(_numbers(np, (2, 3), 1))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(outer(given) ** 2)
    slopes = tape.gradient(loss, outer.trainable_weights)
    return loss, slopes, [weight.path.split("/")[0] for weight in outer.weights][:2]


def the_middle_of_a_model(tf: Any, np: Any) -> Any:
    keras = tf.keras
    x = keras.Input((3,))
    middle = keras.layers.Dense(2, kernel_initializer="ones", name="middle")
    whole = keras.Model(x, keras.layers.Dense(1)(middle(x)))
    half = keras.Model(whole.inputs, whole.get_layer("middle").output)
    return half(tf.ones([1, 3])), list(middle.input.shape)


def a_sequential_shows_what_it_is_made_of(tf: Any, np: Any) -> Any:
    keras = tf.keras
    model = keras.Sequential(
        [keras.Input((3,)), keras.layers.Dense(2, kernel_initializer="ones"), keras.layers.ReLU()]
    )
    middle = keras.Model(model.inputs, model.layers[0].output)
    return middle(tf.ones([1, 3])), model.output_shape, model.input_shape, model.built


def a_sequential_that_is_built_by_hand(tf: Any, np: Any) -> Any:
    keras = tf.keras
    model = keras.Sequential([keras.layers.Dense(2), keras.layers.Dense(1)])
    before = len(model.weights)
    model.build((None, 3))
    return before, [list(weight.shape) for weight in model.weights], model.output_shape


def a_first_layer_with_an_input_shape(tf: Any, np: Any) -> Any:
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(2, input_shape=(3,)), tf.keras.layers.Dense(1)]
    )
    return [list(weight.shape) for weight in model.weights]


def a_first_layer_with_an_input_dim(tf: Any, np: Any) -> Any:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_dim=3)])
    return [list(weight.shape) for weight in model.weights]


def a_class_that_draws_itself(tf: Any, np: Any) -> Any:
    class Net(tf.keras.Model):
        def __init__(self) -> None:
            x = tf.keras.Input((3,))
            super().__init__(inputs=x, outputs=x * 3.0)

    net = Net()
    return net(tf.ones([1, 3])), isinstance(net, Net), list(net.output.shape)


def drawing_is_no_training(tf: Any, np: Any) -> Any:
    keras = tf.keras
    x, norm = keras.Input((2,)), keras.layers.BatchNormalization()
    y = norm(x, training=True)
    model = keras.Model(x, y)
    before = norm.moving_variance.numpy()
    return before, model(tf.constant([[1.0, 2.0], [3.0, 5.0]])), norm.moving_mean.numpy()


def a_layer_with_two_inputs_by_name(tf: Any, np: Any) -> Any:
    class Between(tf.keras.layers.Layer):
        def build(self, a_shape: Any, b_shape: Any) -> None:
            self.sizes = a_shape[-1], b_shape[-1]

        def call(self, a: Any, b: Any) -> Any:
            return a + tf.reduce_sum(b, axis=1, keepdims=True)

    a, b = tf.keras.Input((3,)), tf.keras.Input((2,))
    layer = Between()
    model = tf.keras.Model([a, b], layer(a, b=b))
    return layer.sizes, model([tf.constant(A), tf.constant(B)])


def a_tape_that_watches_a_symbol(tf: Any, np: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(tf.keras.Input((3,)))
