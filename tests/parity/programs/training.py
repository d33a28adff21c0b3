"""A hundred steps of training: each optimizer from the same start ends where TensorFlow ends."""

from typing import Any

from programs.case import Case, Program, rounds

STEPS = 100


def _data(np: Any, dtype: str) -> tuple[Any, Any]:
    """Twelve points in the plane, and which side of a curve each lies on."""
    x = np.array([[np.sin(1.3 * i), np.cos(0.7 * i)] for i in range(12)])
    y = x[:, :1] ** 2 + 0.3 > x[:, 1:]
    return x.astype(dtype), y.astype(dtype)


def _start(tf: Any, np: Any, dtype: str) -> list[Any]:
    first = [[0.5, -0.3, 0.8, 0.1], [-0.6, 0.9, 0.2, -0.4]]
    second = [[0.7], [-0.5], [0.3], [0.6]]
    return [tf.Variable(np.array(each, dtype)) for each in (first, [0.0] * 4, second, [0.0])]


def _trained(name: str, *rates: Any, dtype: str = "float64", **settings: Any) -> Program:
    def program(tf: Any, np: Any) -> Any:
        optimizer = getattr(tf.keras.optimizers, name)(*rates, **settings)
        return _losses_and_weights(tf, np, optimizer, dtype)

    return program


def _losses_and_weights(tf: Any, np: Any, optimizer: Any, dtype: str) -> Any:
    x, y = map(tf.constant, _data(np, dtype))
    w1, b1, w2, b2 = weights = _start(tf, np, dtype)
    losses = []
    for _ in range(STEPS):
        with tf.GradientTape() as tape:
            logits = tf.tanh(x @ w1 + b1) @ w2 + b2
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        losses.append(loss)
    return {"losses": tf.stack(losses[::10]), "weights": [w.numpy() for w in weights]}


OPTIMIZERS = {
    "sgd": _trained("SGD", 0.5),
    "sgd_with_momentum": _trained("SGD", 0.1, momentum=0.9),
    "sgd_with_nesterov": _trained("SGD", 0.1, momentum=0.9, nesterov=True),
    "adam": _trained("Adam", 0.05),
    "adam_with_other_betas": _trained("Adam", 0.05, beta_1=0.8, beta_2=0.95, epsilon=1e-3),
    "adam_with_amsgrad": _trained("Adam", 0.05, amsgrad=True),
    "adamw": _trained("AdamW", 0.05, weight_decay=0.1),
    "rmsprop": _trained("RMSprop", 0.002),
    "rmsprop_with_momentum": _trained("RMSprop", 0.002, momentum=0.5),
    "rmsprop_centered": _trained("RMSprop", 0.002, centered=True),
    "adagrad": _trained("Adagrad", 0.3),
    "sgd_with_clipnorm": _trained("SGD", 0.5, clipnorm=0.05),
    "sgd_with_clipvalue": _trained("SGD", 0.5, clipvalue=0.02),
    "sgd_with_global_clipnorm": _trained("SGD", 0.5, global_clipnorm=0.05),
    "sgd_with_weight_decay": _trained("SGD", 0.5, weight_decay=0.01),
    "with_default_settings": _trained("Adam"),
}

IN_FLOAT32 = {
    "sgd_in_float32": _trained("SGD", 0.5, dtype="float32"),
    "sgd_with_nesterov_in_float32": _trained(
        "SGD", 0.1, momentum=0.9, nesterov=True, dtype="float32"
    ),
    "adam_in_float32": _trained("Adam", 0.05, dtype="float32"),
    "adagrad_in_float32": _trained("Adagrad", 0.3, dtype="float32"),
}

SCHEDULES = {
    "exponential_decay": lambda s: s.ExponentialDecay(0.5, 20, 0.7),
    "exponential_decay_on_a_staircase": lambda s: s.ExponentialDecay(0.5, 20, 0.7, staircase=True),
    "inverse_time_decay": lambda s: s.InverseTimeDecay(0.5, 20, 0.7),
    "polynomial_decay": lambda s: s.PolynomialDecay(0.5, 60, 0.1, power=2.0),
    "polynomial_decay_in_cycles": lambda s: s.PolynomialDecay(0.5, 30, 0.1, cycle=True),
    "cosine_decay": lambda s: s.CosineDecay(0.5, 80, alpha=0.1),
    "cosine_decay_after_a_warmup": lambda s: s.CosineDecay(
        0.1, 60, warmup_target=0.5, warmup_steps=20
    ),
    "piecewise_constant_decay": lambda s: s.PiecewiseConstantDecay([20, 50], [0.5, 0.2, 0.05]),
}


def _on_schedule(make: Any) -> Program:
    def program(tf: Any, np: Any) -> Any:
        schedule = make(tf.keras.optimizers.schedules)
        optimizer = tf.keras.optimizers.SGD(schedule)
        trained = _losses_and_weights(tf, np, optimizer, "float32")
        rates = [float(schedule(step)) for step in (0, 1, 20, 21, 55, 99)]
        return trained | {"rates": tf.constant(rates), "next": float(optimizer.learning_rate)}

    return program


# A hundred steps hand each rounding on to the next, and a quotient by a root enlarges it where slopes are small.
_LONG = rounds(1e-9, "a hundred steps in float64")
_ROUGH = rounds(1e-4, "a hundred steps in float32")

TABLE = (
    *(_LONG(Case(name, program)) for name, program in OPTIMIZERS.items()),
    *(_ROUGH(Case(name, program)) for name, program in IN_FLOAT32.items()),
    *(_ROUGH(Case(name, _on_schedule(make))) for name, make in SCHEDULES.items()),
)
