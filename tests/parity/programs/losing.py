"""Losses: values, gradients of first and second order, forward mode; weights, masks, reductions, names; what is refused."""

from typing import Any

from programs.case import Program, table

_BITS = [[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]
_SHARES = [[0.8, 0.3, 0.6], [0.2, 0.7, 0.9]]
_LOGITS = [[1.5, -0.4, 0.3], [-2.0, 0.1, 3.0]]
_ROWS = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
_FAR = [[1.2, 0.0, -3.0], [0.5, 2.5, 1.0]]

# Each with a truth, predictions, and settings of the class.
LOSSES: dict[str, tuple[str, Any, Any, dict[str, Any]]] = {
    "mse": ("MeanSquaredError", _BITS, _FAR, {}),
    "mae": ("MeanAbsoluteError", _BITS, _FAR, {}),
    "mape": ("MeanAbsolutePercentageError", _BITS, _SHARES, {}),
    "msle": ("MeanSquaredLogarithmicError", _BITS, _SHARES, {}),
    "huber": ("Huber", _BITS, _FAR, {}),
    "huber_of_small_delta": ("Huber", _BITS, _FAR, {"delta": 0.25}),
    "log_cosh": ("LogCosh", _BITS, _FAR, {}),
    "cosine": ("CosineSimilarity", _BITS, _FAR, {}),
    "cosine_along_columns": ("CosineSimilarity", _FAR, _LOGITS, {"axis": 0}),
    "binary": ("BinaryCrossentropy", _BITS, _SHARES, {}),
    "binary_of_logits": ("BinaryCrossentropy", _BITS, _LOGITS, {"from_logits": True}),
    "binary_smoothed": ("BinaryCrossentropy", _BITS, _SHARES, {"label_smoothing": 0.2}),
    "binary_along_columns": ("BinaryCrossentropy", _BITS, _SHARES, {"axis": 0}),
    "categorical": ("CategoricalCrossentropy", _ROWS, _SHARES, {}),
    "categorical_of_logits": ("CategoricalCrossentropy", _ROWS, _LOGITS, {"from_logits": True}),
    "categorical_smoothed": ("CategoricalCrossentropy", _ROWS, _SHARES, {"label_smoothing": 0.3}),
    "categorical_along_columns": ("CategoricalCrossentropy", _BITS, _SHARES, {"axis": 0}),
    "categorical_logits_along_columns": (
        "CategoricalCrossentropy",
        _BITS,
        _LOGITS,
        {"axis": 0, "from_logits": True},
    ),
    "sparse": ("SparseCategoricalCrossentropy", [1, 2], _SHARES, {}),
    "sparse_of_a_column": ("SparseCategoricalCrossentropy", [[1], [2]], _SHARES, {}),
    "sparse_of_logits": ("SparseCategoricalCrossentropy", [1, 2], _LOGITS, {"from_logits": True}),
    "sparse_ignoring": ("SparseCategoricalCrossentropy", [1, 0], _SHARES, {"ignore_class": 0}),
    "sparse_ignoring_minus_one": (
        "SparseCategoricalCrossentropy",
        [-1, 2],
        _LOGITS,
        {"ignore_class": -1, "from_logits": True},
    ),
    "generalized": ("CategoricalGeneralizedCrossEntropy", [1, 2], _SHARES, {}),
    "generalized_with_q": ("CategoricalGeneralizedCrossEntropy", [1, 2], _SHARES, {"q": 0.3}),
    "binary_focal": ("BinaryFocalCrossentropy", _BITS, _SHARES, {}),
    "binary_focal_with_all": (
        "BinaryFocalCrossentropy",
        _BITS,
        _LOGITS,
        {
            "apply_class_balancing": True,
            "alpha": 0.4,
            "gamma": 3.0,
            "from_logits": True,
            "label_smoothing": 0.1,
        },
    ),
    "categorical_focal": ("CategoricalFocalCrossentropy", _ROWS, _SHARES, {}),
    "categorical_focal_with_all": (
        "CategoricalFocalCrossentropy",
        _ROWS,
        _LOGITS,
        {"alpha": [0.2, 0.5, 0.3], "gamma": 3.0, "from_logits": True, "label_smoothing": 0.1},
    ),
    "kl": ("KLDivergence", _SHARES, [[0.1, 0.5, 0.4], [0.3, 0.3, 0.4]], {}),
    "poisson": ("Poisson", [[1.0, 0.0, 3.0]], [[0.5, 0.2, 2.5]], {}),
    "hinge": ("Hinge", [[1.0, -1.0, 1.0]], [[0.3, 0.4, 2.0]], {}),
    "hinge_of_bits": ("Hinge", _BITS, _FAR, {}),
    "squared_hinge": ("SquaredHinge", _BITS, _FAR, {}),
    "categorical_hinge": ("CategoricalHinge", _ROWS, _FAR, {}),
    "dice": ("Dice", _BITS, _SHARES, {}),
    "dice_by_rows": ("Dice", _BITS, _SHARES, {"axis": 1}),
    "tversky": ("Tversky", _BITS, _SHARES, {"alpha": 0.3, "beta": 0.6}),
    "tversky_by_rows": ("Tversky", _BITS, _SHARES, {"axis": (1,)}),
}


def _all_of(kind: str, truth: Any, prediction: Any, settings: dict[str, Any]) -> Program:
    """Loss, gradient, product with the second derivative, and the slope along a direction."""

    def program(tf: Any, np: Any) -> Any:
        loss = getattr(tf.keras.losses, kind)(**settings)
        y, x = tf.constant(truth), tf.Variable(prediction)
        along = tf.constant(np.linspace(-1.0, 1.0, num=x.numpy().size), tf.float32)
        along = tf.reshape(along, x.shape)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as tape:
                value = loss(y, x)
            total = tf.reduce_sum(value)
            gradient = tape.gradient(value, x) if value.shape == () else None
            product = 0.0 if gradient is None else tf.reduce_sum(gradient * along)
        second = None if gradient is None else outer.gradient(product, x)
        with tf.autodiff.ForwardAccumulator(x, along) as forward:
            again = loss(y, x)
        each = getattr(tf.keras.losses, kind)(reduction=None, **settings)(y, x)
        return [value, total, gradient, second, forward.jvp(again), each]

    return program


REDUCTIONS = ("sum_over_batch_size", "mean", "mean_with_sample_weight", "sum", "none", None)
WEIGHTS: dict[str, Any] = {
    "one_for_each": [0.5, 2.0],
    "a_column": [[0.5], [2.0]],
    "zeros": [0.0, 0.0],
    "one_for_all": 0.5,
}


def _weighted(reduction: Any, weights: Any) -> Program:
    return lambda tf, np: tf.keras.losses.MeanSquaredError(reduction=reduction)(
        tf.constant(_BITS), tf.constant(_FAR), sample_weight=weights
    )


# --- at the kinks and edges ---


def _at_kinks(kind: str, truth: Any, prediction: Any, **settings: Any) -> Program:
    def program(tf: Any, np: Any) -> Any:
        x = tf.Variable(prediction)
        with tf.GradientTape() as tape:
            loss = getattr(tf.keras.losses, kind)(reduction="sum", **settings)
            value = loss(tf.constant(truth), x)
        return [value, tape.gradient(value, x)]

    return program


KINKS = {
    "distance_zero": _at_kinks("MeanAbsoluteError", [[1.0, 2.0]], [[1.0, 2.0]]),
    "percentage_of_zero": _at_kinks("MeanAbsolutePercentageError", [[0.0, 2.0]], [[1.0, 2.0]]),
    "logarithm_below_zero": _at_kinks("MeanSquaredLogarithmicError", [[0.0, 2.0]], [[-1.0, 0.0]]),
    "huber_at_delta": _at_kinks("Huber", [[0.0, 0.0]], [[1.0, -1.0]]),
    "hinge_at_the_margin": _at_kinks("Hinge", [[1.0, -1.0]], [[1.0, -1.0]]),
    "categorical_hinge_at_the_margin": _at_kinks("CategoricalHinge", [[1.0, 0.0]], [[1.0, 0.0]]),
    "categorical_hinge_of_equal_ones": _at_kinks(
        "CategoricalHinge", [[1.0, 0.0, 0.0]], [[0.5, 0.5, 0.5]]
    ),
    "probability_zero_and_one": _at_kinks("BinaryCrossentropy", [[1.0, 0.0]], [[0.0, 1.0]]),
    "shares_of_zero": _at_kinks("CategoricalCrossentropy", [[1.0, 0.0]], [[0.0, 1.0]]),
    "class_of_share_zero": _at_kinks("SparseCategoricalCrossentropy", [0], [[0.0, 1.0]]),
    "large_logits": _at_kinks(
        "BinaryCrossentropy", [[1.0, 0.0]], [[-200.0, 200.0]], from_logits=True
    ),
    "divergence_of_zero": _at_kinks("KLDivergence", [[0.0, 1.0]], [[0.0, 1.0]]),
    "count_of_zero": _at_kinks("Poisson", [[0.0, 2.0]], [[0.0, 1e-9]]),
    "no_common_area": _at_kinks("Dice", [[0.0, 0.0]], [[0.0, 0.0]]),
    "direction_of_zero": _at_kinks("CosineSimilarity", [[1.0, 0.0]], [[0.0, 0.0]]),
}


def logits_are_seen_behind_a_sigmoid(tf: Any, np: Any) -> Any:
    x = tf.Variable([[200.0, -3.0]])
    with tf.GradientTape() as tape:
        shares = tf.keras.activations.sigmoid(x)
        loss = tf.keras.losses.BinaryCrossentropy()(tf.constant([[0.0, 1.0]]), shares)
    return [loss, tape.gradient(loss, x)]


def masked(tf: Any, np: Any) -> Any:
    y = tf.constant(_FAR) * 1.0
    y._keras_mask = tf.constant([True, False])
    kinds = [tf.keras.losses.MeanSquaredError(reduction=each) for each in REDUCTIONS]
    true = tf.constant(_BITS)
    plain = [kind(true, y) for kind in kinds]
    return plain + [kind(true, y, sample_weight=[0.5, 2.0]) for kind in kinds[:-2]]


def a_loss_of_ones_own(tf: Any, np: Any) -> Any:
    class Cubes(tf.keras.losses.Loss):
        def call(self, y_true: Any, y_pred: Any) -> Any:
            return tf.reduce_mean(tf.abs(y_true - y_pred) ** 3, axis=-1)

    loss = Cubes(reduction="sum", name="cubes")
    return [loss(tf.constant(_BITS), tf.constant(_FAR)), loss.name, loss.reduction, loss.dtype]


def got_by_name(tf: Any, np: Any) -> Any:
    get = tf.keras.losses.get
    called = [get("mse")(_BITS, _FAR), get("bce")(_BITS, _SHARES), get("Huber")(_BITS, _FAR)]
    kinds = ["KLD", "mape", "categorical_crossentropy", "MeanSquaredError", "BinaryCrossentropy"]
    names = [getattr(get(each), "__name__", type(get(each)).__name__) for each in kinds]
    own = tf.keras.losses.Hinge()
    by_config = get({"class_name": "Huber", "config": {"delta": 0.5}})
    return [called, names, get(own) is own, get(None), by_config(_BITS, _FAR)]


def configs_come_back(tf: Any, np: Any) -> Any:
    kinds = tf.keras.losses
    made = [
        kinds.MeanSquaredError(reduction="sum", name="mine"),
        kinds.CategoricalCrossentropy(from_logits=True),
        kinds.Tversky(0.3, axis=[1]),
    ]
    again = [type(each).from_config(each.get_config()).get_config() for each in made]
    return [{key: each[key] for key in sorted(each)} for each in again]


def names(tf: Any, np: Any) -> Any:
    kinds = "MeanSquaredError Huber LogCosh KLDivergence Poisson BinaryCrossentropy Dice Hinge"
    return [getattr(tf.keras.losses, kind)().name for kind in kinds.split()]


FUNCTIONS = {
    "mse_of_a_column_and_a_vector": lambda tf, np: tf.keras.losses.MSE([[1.0], [2.0]], [0.5, 0.5]),
    "mse_of_a_vector_and_a_column": lambda tf, np: tf.keras.losses.MSE([1.0, 2.0], [[0.5], [0.5]]),
    "mae_of_vectors": lambda tf, np: tf.keras.losses.MAE([1.0, 2.0], [0.5, 0.5]),
    "mse_of_a_deeper_column": lambda tf, np: tf.keras.losses.MSE(
        np.ones([2, 3, 1], np.float32), tf.constant(_FAR)
    ),
    "mse_of_ints": lambda tf, np: tf.keras.losses.MSE([1, 2], [3, 5]),
    "mse_in_float64": lambda tf, np: tf.keras.losses.MSE(
        np.array([1.0, 2.0]), np.array([0.5, 0.5])
    ),
    "class_casts_to_float32": lambda tf, np: tf.keras.losses.MeanSquaredError()(
        np.array([[1.0, 2.0]]), np.array([[0.5, 0.5]])
    ),
    "class_in_float64": lambda tf, np: tf.keras.losses.MeanSquaredError(dtype="float64")(
        np.array([[1.0, 2.0]]), tf.constant([[0.5, 0.5]], tf.float64)
    ),
    "class_of_vectors": lambda tf, np: tf.keras.losses.MeanSquaredError()([1.0, 2.0], [0.5, 0.0]),
    "class_of_a_column_and_a_vector": lambda tf, np: tf.keras.losses.MeanSquaredError()(
        tf.constant([[1.0], [2.0]]), tf.constant([0.5, 0.0])
    ),
    "cosine_function": lambda tf, np: tf.keras.losses.cosine_similarity(_BITS, _FAR),
    "huber_function": lambda tf, np: tf.keras.losses.huber(_BITS, _FAR, 0.5),
    "logcosh_function": lambda tf, np: tf.keras.losses.logcosh(_BITS, _FAR),
    "kld_function": lambda tf, np: tf.keras.losses.kld(_SHARES, _SHARES[::-1]),
    "poisson_function": lambda tf, np: tf.keras.losses.poisson(_BITS, _SHARES),
    "hinge_function": lambda tf, np: tf.keras.losses.hinge(_BITS, _FAR),
    "sparse_function": lambda tf, np: tf.keras.losses.sparse_categorical_crossentropy(
        tf.constant([1, 2]), tf.constant(_SHARES)
    ),
    "sparse_function_of_pixels": lambda tf, np: tf.keras.losses.sparse_categorical_crossentropy(
        tf.constant([[1, 2]]), tf.constant([_SHARES])
    ),
    "binary_function_along_columns": lambda tf, np: tf.keras.losses.binary_crossentropy(
        tf.constant(_BITS), tf.constant(_SHARES), axis=0
    ),
    "words_of_reduction": lambda tf, np: list(tf.keras.losses.Reduction.all()),
}

REFUSED = {
    "reduction": lambda tf, np: tf.keras.losses.MeanSquaredError(reduction="average"),
    "reduction_auto": lambda tf, np: tf.keras.losses.MeanSquaredError(reduction="auto"),
    "keyword": lambda tf, np: tf.keras.losses.MeanSquaredError(from_logits=True),
    "rows_of_another_length": lambda tf, np: tf.keras.losses.CategoricalCrossentropy()(
        tf.constant([[0.0, 1.0]]), tf.constant([[0.2, 0.3, 0.5]])
    ),
    "numbers_for_rows": lambda tf, np: tf.keras.losses.CategoricalCrossentropy()(
        tf.constant([0, 1]), tf.constant(_SHARES)
    ),
    "binary_of_other_shapes": lambda tf, np: tf.keras.losses.BinaryCrossentropy()(
        tf.constant([1.0, 0.0]), tf.constant(_SHARES)
    ),
    "rows_for_numbers": lambda tf, np: tf.keras.losses.SparseCategoricalCrossentropy()(
        tf.constant(_ROWS), tf.constant(_SHARES)
    ),
    "sparse_of_other_lengths": lambda tf, np: tf.keras.losses.SparseCategoricalCrossentropy()(
        tf.constant([1, 2, 0]), tf.constant(_SHARES)
    ),
    "sparse_along_columns": lambda tf, np: tf.keras.losses.SparseCategoricalCrossentropy(axis=0)(
        tf.constant([1, 2]), tf.constant(_SHARES)
    ),
    "axis_is_a_flag": lambda tf, np: tf.keras.losses.categorical_crossentropy(
        tf.constant(_ROWS), tf.constant(_SHARES), axis=True
    ),
    "q_is_one": lambda tf, np: tf.keras.losses.CategoricalGeneralizedCrossEntropy(q=1.0),
    "get_of_no_name": lambda tf, np: tf.keras.losses.get("mean_cubes"),
    "get_of_a_number": lambda tf, np: tf.keras.losses.get(3),
    "mse_of_numbers": lambda tf, np: tf.keras.losses.MSE(1.0, 2.0),
    "weights_of_another_length": lambda tf, np: tf.keras.losses.MeanSquaredError()(
        tf.constant(_BITS), tf.constant(_FAR), sample_weight=[1.0, 2.0, 3.0]
    ),
    "one_class": lambda tf, np: tf.keras.losses.categorical_crossentropy(
        tf.constant([[1.0]]), tf.constant([[0.5]])
    ),
    "a_list_and_a_tensor": lambda tf, np: tf.keras.losses.MeanSquaredError()(
        _BITS, tf.constant(_FAR)
    ),
    "a_tensor_and_a_list": lambda tf, np: tf.keras.losses.Huber()(tf.constant(_BITS), _FAR),
    "other_shapes_of_distances": lambda tf, np: tf.keras.losses.MeanSquaredError()(
        tf.constant(_BITS), tf.constant([[1.0, 2.0]])
    ),
    "base_class": lambda tf, np: tf.keras.losses.Loss()(1.0, 2.0),
    "key_of_reduction": lambda tf, np: tf.keras.losses.Reduction.validate("average"),
}

TABLE = table(
    {
        **{name: _all_of(*about) for name, about in LOSSES.items()},
        **{
            f"{weights}_with_{reduction}": _weighted(reduction, WEIGHTS[weights])
            for weights in WEIGHTS
            for reduction in REDUCTIONS
        },
        **{f"kink_{name}": program for name, program in KINKS.items()},
        **FUNCTIONS,
        **{f"refused_{name}": program for name, program in REFUSED.items()},
    }
)
