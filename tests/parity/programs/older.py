"""What programs of older versions still write, and TensorFlow still takes."""

from typing import Any

from programs.case import table


def _model_of_old(tf: Any, np: Any, *, takes_metrics: bool = True, **regularized: Any) -> Any:
    """A model whose step measures by `compiled_loss` and `compiled_metrics`."""

    class Older(tf.keras.Model):  # type: ignore[misc]
        def train_step(self, data: Any) -> Any:
            x, y = data[:2]
            weight = data[2] if len(data) == 3 else None
            with tf.GradientTape() as tape:
                y_pred = self(x, training=True)
                loss = self.compiled_loss(
                    y, y_pred, sample_weight=weight, regularization_losses=self.losses
                )
            gradients = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
            if takes_metrics:
                self.compiled_metrics.update_state(y, y_pred, sample_weight=weight)
            return {metric.name: metric.result() for metric in self.metrics}

    inputs = tf.keras.Input((3,))
    outputs = tf.keras.layers.Dense(1, **regularized)(inputs)
    model = Older(inputs, outputs)
    kernel, bias = model.weights
    kernel.assign(np.array([[0.5], [-1.0], [2.0]], "float32"))
    bias.assign(np.array([0.25], "float32"))
    return model


def _fitted(tf: Any, np: Any, model: Any, weight: Any = None) -> Any:
    x = np.sin(np.arange(18.0)).reshape(6, 3).astype("float32")
    y = np.cos(np.arange(6.0)).reshape(6, 1).astype("float32")
    history = model.fit(
        x, y, sample_weight=weight, batch_size=3, epochs=2, shuffle=False, verbose=0
    )
    logs = {name: np.array(each, "float32") for name, each in history.history.items()}
    return {"logs": logs, "weights": [each.numpy() for each in model.weights]}


def a_step_with_the_compiled_loss_alone(tf: Any, np: Any) -> Any:
    model = _model_of_old(tf, np, takes_metrics=False)
    model.compile("sgd", "mse")
    return _fitted(tf, np, model)["weights"]


def a_step_with_compiled_metrics(tf: Any, np: Any) -> Any:
    model = _model_of_old(tf, np)
    model.compile("sgd", "mse", metrics=["mae"])
    return _fitted(tf, np, model)


def a_step_with_weights(tf: Any, np: Any) -> Any:
    model = _model_of_old(tf, np)
    model.compile("sgd", "mse", weighted_metrics=["mae"])
    return _fitted(tf, np, model, np.arange(6.0).astype("float32"))


def the_losses_of_the_model_are_added_once(tf: Any, np: Any) -> Any:
    model = _model_of_old(tf, np, kernel_regularizer=tf.keras.regularizers.L2(0.1))
    model.compile("sgd", "mse")
    return _fitted(tf, np, model)


def compiled_loss_without_a_loss(tf: Any, np: Any) -> Any:
    model = _model_of_old(tf, np)
    model.compile("sgd")
    return model.compiled_loss(tf.ones([2, 1]), tf.ones([2, 1]))


def compiled_loss_is_differentiated_twice(tf: Any, np: Any) -> Any:
    model = _model_of_old(tf, np)
    model.compile("sgd", "mse")
    x = tf.constant([[1.0, 2.0, 3.0]])
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        inner.watch(x)
        outer.watch(x)
        first = inner.gradient(model.compiled_loss(tf.ones([1, 1]), model(x) ** 2), x)
    return first, outer.gradient(first, x)


DTYPES_BY_NUMBER = {
    f"dtype_{number}": lambda tf, np, number=number: tf.as_dtype(number).name
    for number in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 18, 19, 22, 23, 99, -1, True, 1.0, 1.5)
}

DTYPES = {
    **DTYPES_BY_NUMBER,
    "zeros_of_a_dtype_by_its_number": lambda tf, np: tf.zeros([2], 1),
    "cast_to_a_dtype_by_its_number": lambda tf, np: tf.cast([1.5], 3),
    "equals_its_number": lambda tf, np: [tf.float32 == 1, tf.float32 == 3, tf.int32 == 3],
}

TABLE = table(DTYPES)
