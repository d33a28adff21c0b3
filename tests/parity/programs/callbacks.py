"""Callbacks of Keras: what they are told, and what they do."""

from typing import Any

from programs.case import table
from programs.fitting import _network, _of, _points

_HOOKS = [
    f"on_{moment}_{end}"
    for moment in (
        "train",
        "test",
        "predict",
        "epoch",
        "train_batch",
        "test_batch",
        "predict_batch",
    )
    for end in ("begin", "end")
]


def _noting(tf: Any, notes: list[Any]) -> Any:
    """A callback that writes down what it is told, and which names its logs have."""

    class Noting(tf.keras.callbacks.Callback):  # type: ignore[misc,name-defined]
        pass

    def noting(hook: str) -> Any:
        def note(self: Any, *which: Any, logs: Any = None) -> None:
            numbers = [each for each in which if isinstance(each, int)]
            found = (
                logs if logs is not None else next((w for w in which if isinstance(w, dict)), {})
            )
            kinds = {type(value).__name__ for value in found.values()} - {"list", "ndarray"}
            notes.append([hook, numbers, sorted(found), sorted(kinds & {"float"})])

        return note

    for hook in _HOOKS:
        setattr(Noting, hook, noting(hook))
    return Noting()


def _compiled(tf: Any, np: Any, **settings: Any) -> Any:
    model = _network(tf, np)
    model.compile(tf.keras.optimizers.SGD(0.1), "mse", **{"metrics": ["mae"], **settings})
    return model


def _fit(tf: Any, np: Any, callbacks: Any, model: Any = None, **settings: Any) -> Any:
    x, y = _points(np)
    model = model or _compiled(tf, np)
    given = {"batch_size": 8, "epochs": 4, "shuffle": False, "verbose": 0, "validation_split": 0.3}
    return model.fit(x, y, callbacks=callbacks, **{**given, **settings})


def moments_of_fit(tf: Any, np: Any) -> Any:
    notes: list[Any] = []
    _fit(tf, np, [_noting(tf, notes)], epochs=2)
    return notes


def moments_with_several_steps_at_once(tf: Any, np: Any) -> Any:
    notes: list[Any] = []
    model = _compiled(tf, np, steps_per_execution=2)
    _fit(tf, np, [_noting(tf, notes)], model, epochs=1, batch_size=4)
    return notes


def moments_of_evaluate_and_predict(tf: Any, np: Any) -> Any:
    notes: list[Any] = []
    x, y = _points(np)
    model = _compiled(tf, np)
    model.evaluate(x, y, batch_size=8, verbose=0, callbacks=[_noting(tf, notes)])
    model.predict(x, batch_size=8, verbose=0, callbacks=[_noting(tf, notes)])
    return notes


def older_names_of_the_batch_hooks(tf: Any, np: Any) -> Any:
    notes: list[Any] = []

    class Old(tf.keras.callbacks.Callback):  # type: ignore[misc,name-defined]
        def on_batch_begin(self, batch: int, logs: Any = None) -> None:
            notes.append(["begin", batch])

        def on_batch_end(self, batch: int, logs: Any = None) -> None:
            notes.append(["end", batch, sorted(logs)])

    _fit(tf, np, [Old()], epochs=1)
    return notes


def what_is_added_to_the_logs_is_in_the_history(tf: Any, np: Any) -> Any:
    class Adding(tf.keras.callbacks.Callback):  # type: ignore[misc,name-defined]
        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            logs["doubled"] = 2.0 * logs["loss"]

    return _of(np, _fit(tf, np, [Adding()], epochs=2))


def model_and_params(tf: Any, np: Any) -> Any:
    seen: dict[str, Any] = {}

    class Looking(tf.keras.callbacks.Callback):  # type: ignore[misc,name-defined]
        def on_train_begin(self, logs: Any = None) -> None:
            seen.update(self.params, layers=len(self.model.layers))

    history = _fit(tf, np, Looking())
    return [seen, history.params, history.model.stop_training]


def stop_training_in_a_batch(tf: Any, np: Any) -> Any:
    class Stopping(tf.keras.callbacks.Callback):  # type: ignore[misc,name-defined]
        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            self.model.stop_training = batch == 0

    return _of(np, _fit(tf, np, [Stopping()], batch_size=4))


def lambda_callback(tf: Any, np: Any) -> Any:
    notes: list[Any] = []
    callback = tf.keras.callbacks.LambdaCallback(
        on_epoch_begin=lambda epoch, logs: notes.append(epoch),
        on_train_batch_end=lambda batch, logs: notes.append([batch, sorted(logs)]),
        on_train_end=lambda logs: notes.append(sorted(logs)),
        on_test_end=lambda logs: notes.append(["test", sorted(logs)]),
    )
    _fit(tf, np, [callback], epochs=1)
    return notes


def _with(name: str, epochs: int = 6, rate: float = 0.1, **settings: Any) -> Any:
    """Six epochs with a callback of Keras's; a rate below 0 makes the numbers worse."""

    def program(tf: Any, np: Any) -> Any:
        callback = getattr(tf.keras.callbacks, name)(**settings)
        model = _network(tf, np, activation=None)
        model.compile(tf.keras.optimizers.SGD(rate), "mse", metrics=["mae", "accuracy"])
        history = _fit(tf, np, [callback], model, epochs=epochs)
        return {
            "history": _of(np, history),
            "weights": [weight.numpy() for weight in model.weights],
            "rate": np.float32(model.optimizer.learning_rate),
            "stopped": getattr(callback, "stopped_epoch", None),
        }

    return program


def _halved(epoch: int, rate: float) -> float:
    return rate if epoch < 2 else rate * 0.5


ACTING = {
    "early_stopping": _with("EarlyStopping", rate=-0.02),
    "early_stopping_with_patience": _with("EarlyStopping", rate=-0.02, patience=2),
    "early_stopping_restores": _with(
        "EarlyStopping", rate=-0.02, patience=1, restore_best_weights=True
    ),
    "early_stopping_restores_without_stopping": _with(
        "EarlyStopping", rate=-0.02, patience=9, restore_best_weights=True
    ),
    "early_stopping_with_min_delta": _with(
        "EarlyStopping", monitor="loss", min_delta=0.05, patience=1
    ),
    "early_stopping_on_accuracy": _with("EarlyStopping", monitor="val_accuracy", patience=1),
    "early_stopping_mode_max": _with("EarlyStopping", monitor="val_loss", mode="max", patience=1),
    "early_stopping_with_baseline": _with("EarlyStopping", baseline=0.01, patience=2),
    "early_stopping_with_baseline_restores": _with(
        "EarlyStopping", baseline=0.01, patience=2, restore_best_weights=True
    ),
    "early_stopping_from_epoch": _with("EarlyStopping", rate=-0.02, start_from_epoch=3),
    "early_stopping_without_the_metric": _with("EarlyStopping", monitor="val_nothing", mode="min"),
    "early_stopping_without_a_direction": _with("EarlyStopping", monitor="val_nothing"),
    "early_stopping_with_an_unknown_mode": _with("EarlyStopping", mode="smallest", rate=-0.02),
    "reduce_rate": _with("ReduceLROnPlateau", mode="max", patience=1, factor=0.5),
    "reduce_rate_with_cooldown": _with(
        "ReduceLROnPlateau", epochs=9, mode="max", patience=1, factor=0.5, cooldown=2
    ),
    "reduce_rate_not_below": _with(
        "ReduceLROnPlateau", mode="max", patience=1, factor=0.1, min_lr=0.03
    ),
    "reduce_rate_by_more_than_one": _with("ReduceLROnPlateau", factor=1.5),
    "reduce_rate_without_the_metric": _with("ReduceLROnPlateau", monitor="val_x", mode="min"),
    "schedule": _with("LearningRateScheduler", schedule=_halved),
    "schedule_of_the_epoch_alone": _with(
        "LearningRateScheduler", schedule=lambda epoch: 0.1 / (epoch + 1)
    ),
    "schedule_that_gives_an_int": _with("LearningRateScheduler", schedule=lambda epoch, rate: 1),
    "terminate_on_nan": _with("TerminateOnNaN", rate=1e20),
    "terminate_on_nan_with_an_error": _with("TerminateOnNaN", rate=1e20, raise_error=True),
    "terminate_on_nan_of_a_healthy_run": _with("TerminateOnNaN", epochs=2),
}


def callback_list_in_a_loop_by_hand(tf: Any, np: Any) -> Any:
    notes: list[Any] = []
    model = _compiled(tf, np)
    callbacks = tf.keras.callbacks.CallbackList(
        [_noting(tf, notes)], add_history=True, model=model, epochs=1
    )
    callbacks.on_train_begin()
    callbacks.on_epoch_begin(0)
    callbacks.on_train_batch_begin(0)
    callbacks.on_train_batch_end(0, {"loss": tf.constant(2.0)})
    callbacks.on_epoch_end(0, {"loss": tf.constant(2.0), "acc": np.float32(1.0)})
    callbacks.on_train_end()
    return [notes, model.history.history, model.history.epoch]


def a_class_in_place_of_a_callback(tf: Any, np: Any) -> Any:
    return _fit(tf, np, [tf.keras.callbacks.EarlyStopping])


TABLE = table(ACTING)
