"""What Keras's layers are made of: constraints, regularizers, initializers, activations; and the keywords that they refuse."""

from typing import Any

from programs.case import Case, Program, rounds, table

_CLOSE = rounds(2e-5, "float32, along another formula")
WEIGHT = [[3.0, -4.0], [0.0, 1.0], [0.5, -0.25]]
NUMBERS = [[-3.0, -1.0, -0.6], [-0.2, 0.0, 0.3], [0.5, 2.0, 7.0]]

CONSTRAINTS = {
    "max_norm": lambda k: k.MaxNorm(2.0),
    "max_norm_of_rows": lambda k: k.MaxNorm(2.0, axis=1),
    "max_norm_of_all": lambda k: k.MaxNorm(1.0, axis=[0, 1]),
    "non_neg": lambda k: k.NonNeg(),
    "unit_norm": lambda k: k.UnitNorm(),
    "min_max_norm": lambda k: k.MinMaxNorm(0.5, 1.0, rate=0.5),
    "by_name": lambda k: k.get("max_norm"),
    "by_class_name": lambda k: k.get("UnitNorm"),
    "unknown": lambda k: k.get("no_such"),
}
REGULARIZERS = {
    "l1": lambda k: k.L1(0.1),
    "l2": lambda k: k.L2(0.1),
    "l1_l2": lambda k: k.L1L2(0.1, 0.2),
    "orthogonal": lambda k: k.OrthogonalRegularizer(0.1),
    "orthogonal_columns": lambda k: k.OrthogonalRegularizer(0.1, "columns"),
    "by_name": lambda k: k.get("L1L2"),
    "unknown": lambda k: k.get("no_such"),
    "negative": lambda k: k.L1(-1.0),
    "no_number": lambda k: k.L2("a"),
    "no_such_mode": lambda k: k.OrthogonalRegularizer(0.1, "both"),
}
ACTIVATIONS: dict[str, dict[str, Any]] = {
    "celu": {"alpha": 0.5},
    "elu": {"alpha": 0.5},
    "exponential": {},
    "gelu": {"approximate": True},
    "hard_shrink": {"threshold": 0.4},
    "hard_sigmoid": {},
    "hard_silu": {},
    "hard_tanh": {},
    "leaky_relu": {"negative_slope": 0.1},
    "linear": {},
    "log_sigmoid": {},
    "log_softmax": {"axis": 0},
    "mish": {},
    "relu": {"negative_slope": 0.1, "max_value": 6.0, "threshold": 0.25},
    "relu6": {},
    "selu": {},
    "silu": {},
    "soft_shrink": {},
    "softmax": {"axis": None},
    "softplus": {},
    "sparse_plus": {},
    "sparse_sigmoid": {},
    "sparsemax": {},
    "squareplus": {"b": 2},
    "tanh_shrink": {},
    "threshold": {"threshold": 0.1, "default_value": 7.0},
}
INITIALIZERS = {
    "constant_array": lambda k, np: k.Constant(np.array([[1.0, 2.0]]))((1, 2)),
    "constant_that_repeats": lambda k, np: k.Constant([1.0, 2.0])((3, 2)),
    "constant_that_does_not_fit": lambda k, np: k.Constant([1.0, 2.0, 3.0])((3, 2)),
    "an_array": lambda k, np: k.get(np.array([1.0, 2.0]))((2,)),
    "identity_of_rank_1": lambda k, np: k.Identity()((2,)),
    "orthogonal_of_rank_1": lambda k, np: k.Orthogonal()((2,)),
    "zeros_of_ints": lambda k, np: k.Zeros()((2,), dtype="int32"),
    "none": lambda k, np: k.get(None),
    "unknown": lambda k, np: k.get("no_such"),
    "a_number": lambda k, np: k.get(3),
    "no_such_mode": lambda k, np: k.VarianceScaling(1.0, "fan"),
    "no_such_distribution": lambda k, np: k.VarianceScaling(1.0, distribution="even"),
    "no_scale": lambda k, np: k.VarianceScaling(-1.0),
    "the_same_for_a_seed": lambda k, np: bool(
        np.all(np.array((i := k.HeNormal(seed=3))((3, 2))) == np.array(i((3, 2))))
    ),
}
REFUSED = {
    "a_misspelt_keyword": lambda k: k.Dense(1, activations="relu"),
    "an_unknown_keyword": lambda k: k.LSTM(2, foo=3),
    "weights_of_dense": lambda k: k.Dense(2, weights=[1]),
    "a_batch_input_shape": lambda k: k.Dense(2, batch_input_shape=(2, 3)),
    "trainable_as_a_number": lambda k: k.Dense(2, trainable=1),
    "a_name_of_a_number": lambda k: k.Dense(2, name=3),
    "a_name_with_a_slash": lambda k: k.Dense(2, name="a/b"),
    "no_units": lambda k: k.Dense(0),
    "half_a_unit": lambda k: k.Dense(2.5),
    "no_units_of_an_lstm": lambda k: k.LSTM(0),
    "no_filters": lambda k: k.Conv2D(0, 2),
    "a_kernel_of_three": lambda k: k.Conv2D(2, (2, 2, 2)),
    "a_stride_of_nothing": lambda k: k.Conv2D(2, 2, strides=0),
    "strides_and_gaps": lambda k: k.Conv2D(2, 2, strides=2, dilation_rate=2),
    "a_padding_of_none": lambda k: k.Conv2D(2, 2, padding="causal"),
    "groups_that_do_not_split": lambda k: k.Conv2D(3, 2, groups=2),
    "no_such_format": lambda k: k.Conv2D(2, 2, data_format="first"),
    "a_rate_above_1": lambda k: k.Dropout(1.5),
    "a_negative_slope": lambda k: k.LeakyReLU(-0.1),
    "a_negative_limit": lambda k: k.ReLU(max_value=-1.0),
    "no_permutation": lambda k: k.Permute((2, 3)),
    "axes_of_text": lambda k: k.Dot("a"),
    "three_axes": lambda k: k.Dot((1, 2, 3)),
    "no_heads": lambda k: k.MultiHeadAttention(0, 2),
    "no_such_mode": lambda k: k.Bidirectional(k.LSTM(2), merge_mode="max"),
    "bidirectional_of_no_layer": lambda k: k.Bidirectional(3),
    "both_forwards": lambda k: k.Bidirectional(k.LSTM(2), backward_layer=k.LSTM(2)),
    "time_distributed_of_no_layer": lambda k: k.TimeDistributed(3),
    "a_cell_that_is_none": lambda k: k.RNN(3),
    "a_mean_without_a_variance": lambda k: k.Normalization(mean=1.0),
    "no_such_score": lambda k: k.Attention(score_mode="sum"),
}
CALLS = {
    "a_list_of_numbers": lambda tf, k: k.Dense(1)([[1.0, 2.0]]),
    "a_number": lambda tf, k: k.Dense(1)(2.0),
    "a_text": lambda tf, k: k.Dense(1)("a"),
    "none": lambda tf, k: k.Dense(1)(None),
    "no_such_interpolation": lambda tf, k: k.UpSampling2D(interpolation="cubical")(
        tf.ones([1, 2, 2, 1])
    ),
    "nothing": lambda tf, k: k.Dense(1)(),
    "training_by_position": lambda tf, k: k.Dropout(0.5)(tf.ones([2]), True),
    "an_unknown_keyword": lambda tf, k: k.Dense(1)(tf.ones([1, 2]), foo=1),
    "one_value_for_add": lambda tf, k: k.Add()(tf.ones([1, 2])),
    "three_values_for_subtract": lambda tf, k: k.Subtract()([tf.ones([1, 2])] * 3),
    "batches_of_two_sizes": lambda tf, k: k.Add()([tf.ones([1, 2]), tf.ones([2, 2])]),
    "shapes_that_do_not_concatenate": lambda tf, k: k.Concatenate()(
        [tf.ones([1, 2, 2]), tf.ones([1, 3, 2])]
    ),
    "attention_of_one": lambda tf, k: k.Attention()([tf.ones([1, 2, 2])]),
    "a_reshape_that_does_not_fit": lambda tf, k: k.Reshape((4,))(tf.ones([1, 3])),
    "a_cropping_of_all": lambda tf, k: k.Cropping1D(2)(tf.ones([1, 3, 2])),
    "an_lstm_of_rows": lambda tf, k: k.LSTM(2)(tf.ones([1, 3])),
    "group_normalization_that_does_not_split": lambda tf, k: k.GroupNormalization(2)(
        tf.ones([1, 3])
    ),
    "weights_of_another_shape": lambda tf, k: _built(k).set_weights(
        [tf.ones([2, 2]).numpy(), tf.ones([2]).numpy()]
    ),
    "too_few_weights": lambda tf, k: _built(k).set_weights([tf.ones([3, 2]).numpy()]),
    "parameters_before_the_build": lambda tf, k: k.Dense(2).count_params(),
    "an_output_before_the_call": lambda tf, k: k.Dense(2).output,
}


def _built(k: Any) -> Any:
    layer = k.Dense(2)
    layer.build((None, 3))
    return layer


def _of_weight(make: Any, room: str) -> Program:
    def program(tf: Any, np: Any) -> Any:
        rule = make(getattr(tf.keras, room))
        x = tf.constant(WEIGHT)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = rule(x)
        return y, tape.gradient(y, x)

    return program


def _activation(name: str, settings: dict[str, Any]) -> Program:
    def program(tf: Any, np: Any) -> Any:
        x = tf.constant(NUMBERS)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = getattr(tf.keras.activations, name)(x, **settings)
                price = y * y
            slope = tape.gradient(price, x)
        return y, slope, outer.gradient(slope, x)

    return program


def _without_a_layer(make: Any) -> Program:
    """Only whether it is refused: layers are of no kind that could be compared."""

    def program(tf: Any, np: Any) -> Any:
        make(tf.keras.layers)

    return program


_ALL: dict[str, Program] = {}
_ALL |= {
    f"constraint_{name}": _of_weight(make, "constraints") for name, make in CONSTRAINTS.items()
}
_ALL |= {
    f"regularizer_{name}": _of_weight(make, "regularizers") for name, make in REGULARIZERS.items()
}
_ALL |= {f"activation_{name}": _activation(name, told) for name, told in ACTIVATIONS.items()}
_ALL |= {
    f"initializer_{name}": lambda tf, np, make=make: make(tf.keras.initializers, np)
    for name, make in INITIALIZERS.items()
}
_ALL |= {f"refused_{name}": _without_a_layer(make) for name, make in REFUSED.items()}
_ALL |= {
    f"call_{name}": lambda tf, np, call=call: call(tf, tf.keras.layers)
    for name, call in CALLS.items()
}
TABLE: tuple[Case, ...] = tuple(map(_CLOSE, table(_ALL)))


def a_layer_without_super_init(tf: Any, np: Any) -> Any:
    class Forgetful(tf.keras.layers.Layer):
        def __init__(self) -> None:
            pass

        def call(self, inputs: Any) -> Any:
            return inputs

    Forgetful()(tf.ones([1, 1]))


def a_layer_made_anew(tf: Any, np: Any) -> Any:
    layer = tf.keras.layers.Dense(2, activation="tanh", name="of_mine")
    again = type(layer).from_config(layer.get_config())
    return again.name, again.units, again.activation.__name__, again.built


def constraints_hang_on_weights(tf: Any, np: Any) -> Any:
    layer = tf.keras.layers.Dense(2, kernel_constraint="non_neg", bias_constraint=lambda w: w * 0.5)
    layer.build((None, 3))
    return (
        type(layer.kernel.constraint).__name__,
        layer.bias.constraint(tf.ones([2])),
        layer.kernel.regularizer,
    )


def a_price_on_the_answer_of_each_example(tf: Any, np: Any) -> Any:
    layer = tf.keras.layers.Dense(2, kernel_initializer="ones", activity_regularizer="l2")
    layer(tf.ones([4, 3]))
    return layer.losses


def what_layers_inside_hear_of_a_default(tf: Any, np: Any) -> Any:
    class Net(tf.keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.drop = tf.keras.layers.Dropout(1.0)

        def call(self, inputs: Any, training: Any = True) -> Any:
            return self.drop(inputs)

    return Net()(tf.ones([2, 2])), Net()(tf.ones([2, 2]), training=False)


def numbers_measured_by_adapt(tf: Any, np: Any) -> Any:
    layer = tf.keras.layers.Normalization()
    layer.adapt(np.array([[1.0, 10.0], [3.0, 30.0], [5.0, 20.0]], "float32"))
    return layer(tf.constant([[1.0, 10.0]])), layer.mean, layer.variance, len(layer.weights)


def a_table_given_to_an_embedding(tf: Any, np: Any) -> Any:
    layer = tf.keras.layers.Embedding(2, 2, weights=[np.array([[1.0, 2.0], [3.0, 4.0]])])
    return layer(tf.constant([1, 0]))
