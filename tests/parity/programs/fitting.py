"""Training by Keras: compile, fit, evaluate, predict, from the same weights in the same order, end with the same numbers."""

from typing import Any

from programs.case import table


def _points(np: Any, count: int = 20) -> tuple[Any, Any]:
    """Points in space, and which side of a curve each lies on."""
    x = np.array([[np.sin(1.3 * i), np.cos(0.7 * i), np.sin(0.2 * i * i)] for i in range(count)])
    y = x[:, :1] ** 2 + 0.3 > x[:, 1:2]
    return x.astype("float32"), y.astype("float32")


def _set(np: Any, model: Any) -> Any:
    for i, weight in enumerate(model.weights):
        size = int(np.prod(weight.shape))
        weight.assign(np.sin(np.arange(size) + i).reshape(weight.shape).astype("float32"))
    return model


def _network(tf: Any, np: Any, out: int = 1, activation: Any = "sigmoid", **last: Any) -> Any:
    layers = [
        tf.keras.Input((3,)),
        tf.keras.layers.Dense(4, activation="tanh"),
        tf.keras.layers.Dense(out, activation=activation, **last),
    ]
    return _set(np, tf.keras.Sequential(layers))


HEADS = ("size", "side")


def _two_outputs(tf: Any, np: Any, form: str = "list") -> Any:
    inputs = tf.keras.Input((3,))
    trunk = tf.keras.layers.Dense(4, activation="tanh")(inputs)
    size = tf.keras.layers.Dense(1, name="size")(trunk)
    side = tf.keras.layers.Dense(1, activation="sigmoid", name="side")(trunk)
    outputs: Any = [size, side] if form == "list" else {"size": size, "side": side}
    model = tf.keras.Model(inputs, outputs)
    for name in HEADS:
        _set(np, model.get_layer(name))
    _set(np, model.layers[1])
    return model


def _of(np: Any, history: Any) -> Any:
    """What a History holds; the order of its names too."""
    numbers = {name: np.array(each, "float32") for name, each in history.history.items()}
    return {"names": list(history.history), "numbers": numbers, "epochs": history.epoch}


def _numbers(np: Any, result: Any) -> Any:
    if isinstance(result, dict):
        return {name: np.float32(number) for name, number in result.items()}
    return np.array(result, "float32")


def _after(np: Any, model: Any, history: Any) -> Any:
    return {"history": _of(np, history), "weights": [w.numpy() for w in _in_order(model)]}


def _in_order(model: Any) -> Any:
    """Weights, those of the layers that `_two_heads` names by that name."""
    named = sorted(model.layers, key=lambda layer: layer.name * (layer.name in HEADS))
    return [weight for layer in named for weight in layer.weights]


def _fitted(
    loss: Any = "mse", optimizer: Any = "sgd", labels: Any = None, out: int = 1, **given: Any
) -> Any:
    """Two epochs of a small network; what `compile` and `fit` are given besides comes by name."""
    to_compile = {
        name: given.pop(name)
        for name in ("metrics", "weighted_metrics", "loss_weights", "steps_per_execution")
        if name in given
    }
    activation = given.pop("activation", "sigmoid" if out == 1 else "softmax")

    def program(tf: Any, np: Any) -> Any:
        x, y = _points(np)
        y = y if labels is None else labels(np, y)
        model = _network(tf, np, out, activation)
        model.compile(optimizer, loss, **to_compile)
        settings = {"epochs": 2, "batch_size": 8, "shuffle": False, "verbose": 0}
        settings |= {name: each(np) if callable(each) else each for name, each in given.items()}
        return _after(np, model, model.fit(x, y, **settings))

    return program


def _classes(np: Any, y: Any) -> Any:
    return (np.arange(len(y)) % 3).astype("int64")


def _column(np: Any, y: Any) -> Any:
    return _classes(np, y)[:, None]


def _one_hot(np: Any, y: Any) -> Any:
    return np.eye(3, dtype="float32")[_classes(np, y)]


def _flat(np: Any, y: Any) -> Any:
    return y[:, 0]


def _wide(np: Any, y: Any) -> Any:
    return y.astype("float64")


FITTED = {
    "mse": _fitted(),
    "adam": _fitted(optimizer="adam"),
    "rmsprop": _fitted(optimizer="rmsprop"),
    "loss_by_its_long_name": _fitted("mean_squared_error"),
    "loss_by_the_name_of_its_class": _fitted("MeanSquaredError"),
    "accuracy_of_one_number": _fitted("binary_crossentropy", metrics=["accuracy"]),
    "acc_of_one_number": _fitted("binary_crossentropy", metrics=["acc", "mse", "mae"]),
    "accuracy_of_class_numbers": _fitted(
        "sparse_categorical_crossentropy", labels=_classes, out=3, metrics=["accuracy"]
    ),
    "accuracy_of_a_column_of_class_numbers": _fitted(
        "sparse_categorical_crossentropy", labels=_column, out=3, metrics=["accuracy"]
    ),
    "accuracy_of_rows": _fitted(
        "categorical_crossentropy", labels=_one_hot, out=3, metrics=["accuracy"]
    ),
    "crossentropy_of_one_number": _fitted("crossentropy"),
    "crossentropy_of_class_numbers": _fitted("crossentropy", labels=_classes, out=3),
    "targets_of_rank_one": _fitted(labels=_flat, metrics=["accuracy", "mae"]),
    "targets_in_float64": _fitted(labels=_wide),
    "targets_of_bool": _fitted(labels=lambda np, y: y > 0.5),
    "validation_split": _fitted(validation_split=0.3, metrics=["mae"]),
    "validation_data": _fitted(validation_data=lambda np: _points(np, 7), metrics=["mae"]),
    "validation_freq": _fitted(
        validation_data=lambda np: _points(np, 7), validation_freq=2, epochs=3
    ),
    "validation_freq_as_a_list": _fitted(
        validation_data=lambda np: _points(np, 7), validation_freq=[2], epochs=3
    ),
    "validation_steps": _fitted(
        validation_data=lambda np: _points(np, 7), validation_steps=1, validation_batch_size=2
    ),
    "sample_weight": _fitted(
        sample_weight=lambda np: np.arange(20.0), metrics=["mae"], weighted_metrics=["mae", "mse"]
    ),
    "weighted_metrics_alone": _fitted(
        sample_weight=lambda np: np.arange(20.0), weighted_metrics=["accuracy"]
    ),
    "class_weight": _fitted(class_weight={0: 1.0, 1: 3.0}, weighted_metrics=["mae"]),
    "class_weight_of_rows": _fitted(
        "categorical_crossentropy", labels=_one_hot, out=3, class_weight={0: 2.0, 2: 0.5}
    ),
    "initial_epoch": _fitted(initial_epoch=1, epochs=3),
    "steps_per_epoch": _fitted(steps_per_epoch=2, epochs=2),
    "steps_per_epoch_without_batch_size": _fitted(steps_per_epoch=2, batch_size=None),
    "batch_size_of_default": _fitted(batch_size=None),
    "steps_per_execution": _fitted(steps_per_execution=2, metrics=["mae"]),
    "no_epochs": _fitted(epochs=0),
    "loss_weights_of_one_output": _fitted(loss_weights=0.5),
    "loss_in_a_list": _fitted(["mse"], metrics=[["mae"]]),
}

REFUSED = {
    "loss_that_there_is_not": _fitted("mean_squarde_error"),
    "optimizer_that_there_is_not": _fitted(optimizer="adma"),
    "metric_that_there_is_not": _fitted(metrics=["acuracy"]),
    "metrics_as_a_string": _fitted(metrics="mae"),
    "loss_weights_of_int": _fitted(loss_weights=1),
    "targets_of_another_length": _fitted(labels=lambda np, y: y[:5]),
    "targets_as_a_list": _fitted(labels=lambda np, y: [float(each[0]) for each in y]),
    "class_weight_and_sample_weight": _fitted(
        class_weight={0: 1.0}, sample_weight=lambda np: np.ones(20)
    ),
    "validation_split_of_all": _fitted(validation_split=1.0),
    "validation_freq_of_str": _fitted(
        validation_data=lambda np: _points(np, 7), validation_freq="2"
    ),
    "loss_of_none": _fitted(None),
    "loss_weights_as_a_string": _fitted(loss_weights="x"),
}


def function_as_loss_and_metric(tf: Any, np: Any) -> Any:
    def far(y_true: Any, y_pred: Any) -> Any:
        return tf.abs(y_true - y_pred)

    x, y = _points(np)
    model = _network(tf, np)
    model.compile(tf.keras.optimizers.SGD(0.1), far, metrics=[far])
    return _after(np, model, model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0))


def objects_as_loss_and_metrics(tf: Any, np: Any) -> Any:
    x, y = _points(np)
    model = _network(tf, np, activation=None)
    model.compile(
        optimizer=tf.keras.optimizers.Adam(learning_rate=0.05),
        loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[tf.keras.metrics.BinaryAccuracy(threshold=0.0, name="right"), "mae"],
    )
    history = model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0)
    return _after(np, model, history)


def _with_two(loss: Any, y: str = "list", form: str = "list", **compiled: Any) -> Any:
    def program(tf: Any, np: Any) -> Any:
        x, side = _points(np)
        size = x.sum(axis=1, keepdims=True)
        model = _two_outputs(tf, np, form)
        model.compile("sgd", loss, **compiled)
        forms = {"list": [size, side], "dict": {"size": size, "side": side}, "one": size}
        forms["tuple"] = (size, side)
        history = model.fit(x, forms[y], batch_size=8, epochs=2, shuffle=False, verbose=0)
        return {
            **_after(np, model, history),
            "evaluate": _numbers(np, model.evaluate(x, forms[y], verbose=0)),
            "predict": model.predict(x[:2], verbose=0),
        }

    return program


TWO = {
    "two_outputs_and_one_loss": _with_two("mse"),
    "two_outputs_and_two_losses": _with_two(["mse", "binary_crossentropy"]),
    "two_outputs_and_losses_by_name": _with_two({"size": "mse", "side": "mae"}),
    "two_outputs_and_targets_by_name": _with_two(
        {"side": "binary_crossentropy", "size": "mse"}, y="dict"
    ),
    "two_outputs_and_a_tuple_of_targets": _with_two("mse", y="tuple"),
    "two_outputs_in_a_dict": _with_two({"size": "mse", "side": "mae"}, y="dict", form="dict"),
    "two_outputs_in_a_dict_and_one_loss": _with_two("mse", y="dict", form="dict"),
    "two_outputs_with_weights": _with_two(["mse", "mae"], loss_weights=[1.0, 0.25]),
    "two_outputs_with_weights_by_name": _with_two(
        {"size": "mse", "side": "mae"}, loss_weights={"size": 0.5, "side": 2.0}
    ),
    "two_outputs_with_metrics": _with_two(["mse", "mae"], metrics=["mae", ["accuracy", "mse"]]),
    "two_outputs_with_metrics_by_name": _with_two(
        {"size": "mse", "side": "mae"}, y="dict", form="dict", metrics={"side": ["accuracy"]}
    ),
    "two_outputs_of_which_one_has_a_loss": _with_two(["mse", None]),
    "two_outputs_and_three_losses": _with_two(["mse", "mae", "mae"]),
    "two_outputs_and_a_name_that_there_is_not": _with_two({"size": "mse", "sid": "mae"}),
    "two_outputs_in_a_dict_and_a_name_that_there_is_not": _with_two(
        {"size": "mse", "sid": "mae"}, y="dict", form="dict"
    ),
    "two_outputs_and_metrics_for_one": _with_two("mse", metrics=["mae"]),
    "two_outputs_and_weights_for_one_loss": _with_two("mse", loss_weights=[1.0, 2.0]),
}


def two_outputs_of_a_class(tf: Any, np: Any) -> Any:
    """Its outputs have no names: the losses lend theirs."""

    class Net(tf.keras.Model):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.one, self.two = tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)

        def call(self, x: Any) -> Any:
            return [self.one(x), self.two(x)]

    x, y = _points(np)
    model = Net()
    model(x)
    _set(np, model).compile("sgd", ["mse", "mae"], metrics=[["mae"], ["mse"]])
    history = model.fit(x, [y, y], batch_size=8, shuffle=False, verbose=0)
    return {
        **_after(np, model, history),
        "evaluate": _numbers(np, model.evaluate(x, [y, y], verbose=0)),
    }


def weights_for_each_output(tf: Any, np: Any) -> Any:
    x, y = _points(np)
    model = _two_outputs(tf, np)
    model.compile("sgd", "mse", weighted_metrics=[["mae"], ["mae"]])
    weights = [np.arange(20.0), np.ones(20)]
    history = model.fit(x, [y, y], sample_weight=weights, batch_size=8, shuffle=False, verbose=0)
    return _after(np, model, history)


def two_inputs(tf: Any, np: Any) -> Any:
    a, b = tf.keras.Input((3,), name="a"), tf.keras.Input((1,), name="b")
    out = tf.keras.layers.Dense(1)(tf.keras.layers.Concatenate()([a, b]))
    model = _set(np, tf.keras.Model([a, b], out))
    model.compile("sgd", "mse")
    x, y = _points(np)
    history = model.fit([x, y], y, batch_size=8, shuffle=False, verbose=0)
    return {**_after(np, model, history), "predict": model.predict([x[:3], y[:3]], verbose=0)}


def inputs_by_name(tf: Any, np: Any) -> Any:
    a, b = tf.keras.Input((3,), name="a"), tf.keras.Input((1,), name="b")
    out = tf.keras.layers.Dense(1)(tf.keras.layers.Concatenate()([a, b]))
    model = _set(np, tf.keras.Model({"a": a, "b": b}, out))
    model.compile("sgd", "mse")
    x, y = _points(np)
    return _after(np, model, model.fit({"a": x, "b": y}, y, shuffle=False, verbose=0))


# --- data of other kinds ---


def _batches(np: Any, count: int = 3) -> Any:
    x, y = _points(np)
    return [(x[8 * i : 8 * i + 8], y[8 * i : 8 * i + 8]) for i in range(count)]


def tensors(tf: Any, np: Any) -> Any:
    x, y = _points(np)
    model = _network(tf, np)
    model.compile("sgd", "mse")
    history = model.fit(tf.constant(x), tf.constant(y), batch_size=8, shuffle=False, verbose=0)
    return _after(np, model, history)


def arrays_of_float64(tf: Any, np: Any) -> Any:
    x, y = _points(np)
    model = _network(tf, np)
    model.compile("sgd", "mse")
    history = model.fit(x.astype("float64"), y, batch_size=8, shuffle=False, verbose=0)
    return {**_after(np, model, history), "predict": model.predict(x.astype("float64"), verbose=0)}


def generator(tf: Any, np: Any) -> Any:
    def endless() -> Any:
        while True:
            yield from _batches(np)

    model = _network(tf, np)
    model.compile("sgd", "mse")
    history = model.fit(endless(), steps_per_epoch=2, epochs=3, shuffle=False, verbose=0)
    return _after(np, model, history)


def generator_of_weighted_batches(tf: Any, np: Any) -> Any:
    batches = [(x, y, np.arange(float(len(x)), dtype="float32")) for x, y in _batches(np)]
    model = _network(tf, np)
    model.compile("sgd", "mse")
    history = model.fit((each for each in batches), steps_per_epoch=3, shuffle=False, verbose=0)
    return _after(np, model, history)


def generator_that_is_too_short(tf: Any, np: Any) -> Any:
    model = _network(tf, np)
    model.compile("sgd", "mse")
    batches = (each for each in _batches(np, 2))
    history = model.fit(batches, steps_per_epoch=3, shuffle=False, verbose=0)
    return _after(np, model, history)


def py_dataset(tf: Any, np: Any) -> Any:
    class Data(tf.keras.utils.PyDataset):  # type: ignore[misc,name-defined]
        def __len__(self) -> int:
            return 3

        def __getitem__(self, index: int) -> Any:
            return _batches(np)[index]

    model = _network(tf, np)
    model.compile("sgd", "mse")
    history = model.fit(Data(), epochs=2, shuffle=False, verbose=0, validation_data=Data())
    return {**_after(np, model, history), "predict": model.predict(Data(), verbose=0)}


def py_dataset_and_class_weight(tf: Any, np: Any) -> Any:
    class Data(tf.keras.utils.Sequence):  # type: ignore[misc,name-defined]
        def __len__(self) -> int:
            return 3

        def __getitem__(self, index: int) -> Any:
            return _batches(np)[index]

    model = _network(tf, np)
    model.compile("sgd", "mse")
    history = model.fit(Data(), class_weight={1: 2.0}, shuffle=False, verbose=0)
    return _after(np, model, history)


def targets_beside_a_generator(tf: Any, np: Any) -> Any:
    model = _network(tf, np)
    model.compile("sgd", "mse")
    return model.fit((each for each in _batches(np)), _points(np)[1], verbose=0)


def fit_before_compile(tf: Any, np: Any) -> Any:
    return _network(tf, np).fit(*_points(np))


def evaluate_before_compile(tf: Any, np: Any) -> Any:
    return _network(tf, np).evaluate(*_points(np))


def predict_needs_no_compile(tf: Any, np: Any) -> Any:
    return _network(tf, np).predict(_points(np)[0], batch_size=7, verbose=0)


def predict_some_steps(tf: Any, np: Any) -> Any:
    return _network(tf, np).predict(_points(np)[0], batch_size=4, steps=2, verbose=0)


def predict_a_batch(tf: Any, np: Any) -> Any:
    return _network(tf, np).predict_on_batch(_points(np)[0])


def evaluated(tf: Any, np: Any) -> Any:
    x, y = _points(np)
    model = _network(tf, np)
    model.compile("sgd", "mse")
    alone = model.evaluate(x, y, batch_size=7, verbose=0)
    model.compile("sgd", "mse", metrics=["mae", "accuracy"])
    return [
        np.float32(alone),
        type(alone),
        _numbers(np, model.evaluate(x, y, batch_size=7, verbose=0)),
        _numbers(np, model.evaluate(x, y, verbose=0, return_dict=True)),
        _numbers(np, model.evaluate(x, y, sample_weight=np.arange(20.0), verbose=0)),
        _numbers(np, model.evaluate(x, y, steps=1, batch_size=4, verbose=0)),
        model.metrics_names,
    ]


def batches_by_hand(tf: Any, np: Any) -> Any:
    x, y = _points(np)
    model = _network(tf, np)
    model.compile("adam", "mse", metrics=["mae"])
    first = model.train_on_batch(x[:8], y[:8])
    return [
        type(first),
        _numbers(np, first),
        _numbers(np, model.train_on_batch(x[8:], y[8:], return_dict=True)),
        _numbers(np, model.train_on_batch(x, y, sample_weight=np.arange(20.0))),
        _numbers(np, model.train_on_batch(x, y, class_weight={0: 1.0, 1: 2.0})),
        _numbers(np, model.test_on_batch(x, y)),
        [weight.numpy() for weight in model.weights],
    ]


# --- a step of one's own ---


def train_step_of_ones_own(tf: Any, np: Any) -> Any:
    class Own(tf.keras.Model):  # type: ignore[misc,name-defined]
        def __init__(self, inner: Any) -> None:
            super().__init__()
            self.inner = inner
            self.tracker = tf.keras.metrics.Mean(name="own_loss")

        @property
        def metrics(self) -> Any:
            return [self.tracker]

        def call(self, x: Any) -> Any:
            return self.inner(x)

        def train_step(self, data: Any) -> Any:
            x, y = data
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(self(x, training=True) - y))
            gradients = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
            self.tracker.update_state(loss)
            return {"own_loss": self.tracker.result()}

    x, y = _points(np)
    model = Own(_network(tf, np))
    model.compile(optimizer=tf.keras.optimizers.SGD(0.1))
    return _after(np, model, model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0))


def train_step_with_other_names(tf: Any, np: Any) -> Any:
    """What it returns is what the logs hold, though no metric is called so."""

    class Own(tf.keras.Model):  # type: ignore[misc,name-defined]
        def __init__(self, inner: Any) -> None:
            super().__init__()
            self.inner = inner

        def train_step(self, data: Any) -> Any:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(self.inner(data) ** 2)
            weights = self.inner.trainable_weights
            self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            return {"energy": loss, "twice": 2.0 * loss}

    model = Own(_network(tf, np))
    model.compile("sgd")
    return _of(np, model.fit(_points(np)[0], batch_size=8, shuffle=False, verbose=0))


def compute_loss_of_ones_own(tf: Any, np: Any) -> Any:
    class Own(tf.keras.Model):  # type: ignore[misc,name-defined]
        def __init__(self, inner: Any) -> None:
            super().__init__()
            self.inner = inner

        def call(self, x: Any) -> Any:
            return self.inner(x)

        def compute_loss(self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None) -> Any:
            return tf.reduce_mean(tf.abs(y - y_pred)) + 0.1 * tf.reduce_sum(x**2)

    x, y = _points(np)
    model = Own(_network(tf, np))
    model.compile("sgd", metrics=["mae"])
    return _after(np, model, model.fit(x, y, batch_size=8, shuffle=False, verbose=0))


def added_and_regularizing_losses(tf: Any, np: Any) -> Any:
    class Pricey(tf.keras.layers.Layer):  # type: ignore[misc,name-defined]
        def call(self, x: Any) -> Any:
            self.add_loss(0.01 * tf.reduce_sum(tf.abs(x)))
            return x

    layers = [
        tf.keras.Input((3,)),
        tf.keras.layers.Dense(4, kernel_regularizer="l2", bias_regularizer="l1"),
        Pricey(),
        tf.keras.layers.Dense(1),
    ]
    x, y = _points(np)
    model = _set(np, tf.keras.Sequential(layers))
    model.compile("sgd", "mse", metrics=["mse"])
    history = model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0)
    return {**_after(np, model, history), "evaluate": _numbers(np, model.evaluate(x, y, verbose=0))}


def added_losses_alone(tf: Any, np: Any) -> Any:
    class Own(tf.keras.Model):  # type: ignore[misc,name-defined]
        def __init__(self, inner: Any) -> None:
            super().__init__()
            self.inner = inner

        def call(self, x: Any) -> Any:
            y = self.inner(x)
            self.add_loss(tf.reduce_mean(y**2))
            return y

    model = Own(_network(tf, np))
    model.compile("sgd")
    return _of(np, model.fit(_points(np)[0], batch_size=8, shuffle=False, verbose=0))


def metric_of_a_layer(tf: Any, np: Any) -> Any:
    class Counting(tf.keras.layers.Layer):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.size = tf.keras.metrics.Mean(name="size")

        def call(self, x: Any) -> Any:
            self.size.update_state(tf.abs(x))
            return x

    x, y = _points(np)
    layers = [tf.keras.Input((3,)), tf.keras.layers.Dense(4), Counting(), tf.keras.layers.Dense(1)]
    model = _set(np, tf.keras.Sequential(layers))
    model.compile("sgd", "mse")
    return _of(np, model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0))


def batch_normalization_learns_in_fit_and_not_in_evaluate(tf: Any, np: Any) -> Any:
    layers = [
        tf.keras.Input((3,)),
        tf.keras.layers.Dense(4),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(1),
    ]
    x, y = _points(np)
    model = tf.keras.Sequential(layers)
    for i in (0, 2):
        _set(np, model.layers[i])
    model.compile("sgd", "mse")
    history = model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0)
    return {**_after(np, model, history), "evaluate": _numbers(np, model.evaluate(x, y, verbose=0))}


def frozen_layer(tf: Any, np: Any) -> Any:
    x, y = _points(np)
    model = _network(tf, np)
    model.layers[0].trainable = False
    model.compile("sgd", "mse")
    return _after(np, model, model.fit(x, y, batch_size=8, shuffle=False, verbose=0))


def no_trainable_weights(tf: Any, np: Any) -> Any:
    x, y = _points(np)
    model = _network(tf, np)
    model.trainable = False
    model.compile("sgd", "mse")
    return _of(np, model.fit(x, y, batch_size=8, shuffle=False, verbose=0))


def lost_gradient_in_fit(tf: Any, np: Any) -> Any:
    """The optimizer warns of the weights without a gradient, and trains the others."""
    x, y = _points(np)

    class Cut(tf.keras.layers.Layer):  # type: ignore[misc,name-defined]
        def call(self, x: Any) -> Any:
            return tf.stop_gradient(x)

    layers = [tf.keras.Input((3,)), tf.keras.layers.Dense(4), Cut(), tf.keras.layers.Dense(1)]
    model = _set(np, tf.keras.Sequential(layers))
    model.compile("sgd", "mse", run_eagerly=True)
    return _after(np, model, model.fit(x, y, batch_size=8, shuffle=False, verbose=0))


TABLE = table(FITTED | REFUSED | TWO)
