"""Sequences of different lengths in `fit`: the mask that hangs on the answer counts in losses and metrics."""

from typing import Any

from programs.case import Case, Program, rounds, table
from programs.fitting import _after, _set

_CLOSE = rounds(2e-5, "float32, in another order")
WORDS = [[1, 2, 0, 3], [4, 0, 0, 0], [2, 2, 5, 1], [3, 1, 0, 0], [5, 4, 3, 0]]


def _tagging(tf: Any, np: Any, out: int, activation: Any) -> Any:
    """A tag for each word."""
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            tf.keras.Input((4,), dtype="int32"),
            layers.Embedding(6, 3, mask_zero=True),
            layers.GRU(3, return_sequences=True),
            layers.Dense(out, activation=activation),
        ]
    )
    return _set(np, model)


def _weighing(tf: Any, np: Any) -> Any:
    """A number for each text, as steps of zeros do not count."""
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            tf.keras.Input((4, 2)),
            layers.Masking(0.5),
            layers.LSTM(3, return_sequences=True),
            layers.GlobalAveragePooling1D(),
            layers.Dense(1),
        ]
    )
    return _set(np, model)


def _steps(np: Any) -> Any:
    x = np.sin(np.arange(40.0)).reshape(5, 4, 2).astype("float32")
    x[0, 2:], x[1, 1:], x[3, 3:] = 0.5, 0.5, 0.5
    return x


def _numbers_of(np: Any, out: int) -> Any:
    return np.cos(np.arange(20.0 * out)).reshape(5, 4, out).astype("float32")


def _tags(np: Any, out: int) -> Any:
    return (np.arange(20) * 7 % out).reshape(5, 4)


def _tagged(
    loss: Any = "mse", targets: Any = _numbers_of, out: int = 2, activation: Any = None, **more: Any
) -> Program:
    """Two epochs; then what `evaluate` and `predict` say. `weights` are those of the examples."""
    compiled = {name: more.pop(name) for name in ("metrics", "weighted_metrics") if name in more}

    def program(tf: Any, np: Any) -> Any:
        model = _tagging(tf, np, out, activation)
        x, y = np.array(WORDS), targets(np, out)
        weights = more["weights"](np) if "weights" in more else None
        chosen = loss(tf.keras.losses) if callable(loss) else loss
        model.compile("sgd", chosen, **compiled)
        settings = {"batch_size": 2, "verbose": 0, "sample_weight": weights}
        history = model.fit(x, y, epochs=2, shuffle=False, **settings)
        measured = model.evaluate(x, y, **settings)
        return (
            _after(np, model, history),
            np.array(measured, "float32"),
            model.predict(x, verbose=0),
        )

    return program


SPARSE = {
    "loss": "sparse_categorical_crossentropy",
    "targets": _tags,
    "out": 3,
    "activation": "softmax",
}
TAGGED = {
    "mse_of_words": _tagged(),
    "mse_and_metrics": _tagged(metrics=["mse", "mae"], weighted_metrics=["mse"]),
    "sum_of_words": _tagged(lambda losses: losses.MeanSquaredError(reduction="sum")),
    "mean_with_sample_weight": _tagged(
        lambda losses: losses.MeanAbsoluteError(reduction="mean_with_sample_weight")
    ),
    "tags": _tagged(metrics=["accuracy"], **SPARSE),
    "tags_and_weighted_metrics": _tagged(
        metrics=["accuracy"], weighted_metrics=["accuracy"], **SPARSE
    ),
    "one_number_for_each_word": _tagged(
        "binary_crossentropy",
        lambda np, out: _tags(np, 2)[..., None],
        1,
        "sigmoid",
        metrics=["accuracy"],
    ),
    "weights_of_examples": _tagged(
        weights=lambda np: np.array([1.0, 2.0, 0.5, 0.0, 1.5], "float32"),
        weighted_metrics=["mae"],
    ),
    "weights_of_words": _tagged(
        weights=lambda np: np.abs(_numbers_of(np, 1)[..., 0]), weighted_metrics=["mae"]
    ),
}


def a_masking_layer(tf: Any, np: Any) -> Any:
    model = _weighing(tf, np)
    x, y = _steps(np), np.arange(5.0, dtype="float32")[:, None]
    model.compile("sgd", "mse", metrics=["mae"])
    history = model.fit(x, y, epochs=2, batch_size=2, shuffle=False, verbose=0)
    return _after(np, model, history), model.predict(x, verbose=0)


def batches_by_hand_behind_a_mask(tf: Any, np: Any) -> Any:
    model = _tagging(tf, np, 2, None)
    model.compile("sgd", "mse", metrics=["mae"])
    x, y = np.array(WORDS), _numbers_of(np, 2)
    trained = [np.array(model.train_on_batch(x, y), "float32") for _ in range(2)]
    return trained, np.array(model.test_on_batch(x, y), "float32"), model.predict_on_batch(x)


def two_outputs_of_which_one_has_a_mask(tf: Any, np: Any) -> Any:
    layers = tf.keras.layers
    words = tf.keras.Input((4,), dtype="int32")
    rows = layers.Embedding(6, 3, mask_zero=True)(words)
    steps = layers.SimpleRNN(2, return_sequences=True, name="steps")(rows)
    whole = layers.Dense(1, name="whole")(layers.GlobalAveragePooling1D()(steps))
    model = _set(np, tf.keras.Model(words, [steps, whole]))
    model.compile("sgd", ["mse", "mse"], metrics=[["mae"], ["mae"]])
    y = [_numbers_of(np, 2), np.arange(5.0, dtype="float32")[:, None]]
    history = model.fit(np.array(WORDS), y, batch_size=2, shuffle=False, verbose=0)
    return _after(np, model, history)


def a_function_as_loss_behind_a_mask(tf: Any, np: Any) -> Any:
    def apart(true: Any, predicted: Any) -> Any:
        return tf.reduce_mean(tf.abs(true - predicted), axis=-1)

    model = _tagging(tf, np, 2, None)
    model.compile("sgd", apart, metrics=[apart])
    x, y = np.array(WORDS), _numbers_of(np, 2)
    return _after(np, model, model.fit(x, y, batch_size=2, shuffle=False, verbose=0))


def a_dataset_of_words(tf: Any, np: Any) -> Any:
    model = _tagging(tf, np, 2, None)
    model.compile("sgd", "mse", metrics=["mae"])
    data = tf.data.Dataset.from_tensor_slices((np.array(WORDS), _numbers_of(np, 2))).batch(2)
    return _after(np, model, model.fit(data, epochs=2, verbose=0, shuffle=False))


# --- an order that cannot be changed ---


def _shuffled(data: Any, **more: Any) -> Program:
    def program(tf: Any, np: Any) -> Any:
        model = _set(np, tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)]))
        model.compile("sgd", "mse")
        x, y = np.ones((4, 2), "float32"), np.ones((4, 1), "float32")
        return _after(np, model, model.fit(data(tf, x, y), verbose=0, **more))

    return program


def _dataset(tf: Any, x: Any, y: Any) -> Any:
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(2)


def _generator(tf: Any, x: Any, y: Any) -> Any:
    return ((x[i : i + 2], y[i : i + 2]) for i in (0, 2))


def _numbered(tf: Any, x: Any, y: Any) -> Any:
    class Two(tf.keras.utils.PyDataset):
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> Any:
            return x[:2], y[:2]

    return Two()


def _endless(tf: Any, x: Any, y: Any) -> Any:
    class Endless(tf.keras.utils.PyDataset):
        @property
        def num_batches(self) -> None:
            return None

        def __getitem__(self, index: int) -> Any:
            return x[:2], y[:2]

    return Endless()


SHUFFLED = {
    "a_dataset": _shuffled(_dataset),
    "a_dataset_to_be_shuffled": _shuffled(_dataset, shuffle=True),
    "a_dataset_to_be_shuffled_in_batches": _shuffled(_dataset, shuffle="batch"),
    "a_dataset_as_it_is": _shuffled(_dataset, shuffle=False),
    "a_generator": _shuffled(_generator),
    "a_generator_to_be_shuffled": _shuffled(_generator, shuffle=True),
    "a_generator_as_it_is": _shuffled(_generator, shuffle=False),
    "numbered_batches_to_be_shuffled": _shuffled(_numbered, shuffle=True),
    "batches_without_end": _shuffled(_endless, steps_per_epoch=2),
    "batches_without_end_as_they_are": _shuffled(_endless, steps_per_epoch=2, shuffle=False),
}


def data_of_unknown_length(tf: Any, np: Any) -> Any:
    """Their end is a warning, once."""
    model = _set(np, tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)]))
    model.compile("sgd", "mse")
    data = _dataset(tf, np.ones((4, 2), "float32"), np.ones((4, 1), "float32"))
    history = model.fit(data.filter(lambda x, y: True), epochs=3, shuffle=False, verbose=0)
    return _after(np, model, history)


def predicting_from_data_of_unknown_length(tf: Any, np: Any) -> Any:
    model = _set(np, tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)]))
    data = _dataset(tf, np.ones((4, 2), "float32"), np.ones((4, 1), "float32"))
    return model.predict(data.filter(lambda x, y: True), verbose=0)


def evaluated_and_predicted_without_a_warning(tf: Any, np: Any) -> Any:
    model = _set(np, tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)]))
    model.compile("sgd", "mse")
    data = _dataset(tf, np.ones((4, 2), "float32"), np.ones((4, 1), "float32"))
    return np.float32(model.evaluate(data, verbose=0)), model.predict(data, verbose=0)


TABLE: tuple[Case, ...] = tuple(map(_CLOSE, table(TAGGED)))
TABLE += table({f"shuffle_{name}": program for name, program in SHUFFLED.items()})
