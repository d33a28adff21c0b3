"""Copies of variables, layers and models: whose weights they have, and which of them a gradient is for."""

import copy
from typing import Any

from programs.case import table


def _of_variable(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0], name="v", trainable=False)
    deep, shallow = copy.deepcopy(v), copy.copy(v)
    v.assign([3.0, 4.0])
    return deep, deep.name, deep.trainable, shallow is v


def _asked_of_both(how: Any) -> Any:
    """The gradient by a variable, and by its copy, of what was computed from the copy; then the second."""

    def run(tf: Any, np: Any) -> Any:
        v = tf.Variable([1.0, 2.0], name="v")
        w = how(v)
        with tf.GradientTape(persistent=True) as outer:
            with tf.GradientTape(persistent=True) as tape:
                y = tf.reduce_sum(w**3)
            first = tape.gradient(y, w)
        with tf.autodiff.ForwardAccumulator(w, tf.constant([1.0, 0.5])) as along:
            z = tf.reduce_sum(w**3)
        return tape.gradient(y, v), first, outer.gradient(first, w), along.jvp(z)

    return run


def _of_module(how: Any) -> Any:
    def run(tf: Any, np: Any) -> Any:
        class Line(tf.Module):
            def __init__(self) -> None:
                super().__init__()
                self.slope = tf.Variable(0.5, name="slope")

        line = Line()
        other = how(line)
        with tf.GradientTape(persistent=True) as tape:
            y = other.slope**2
        return (
            other.slope is line.slope,
            tape.gradient(y, line.slope),
            tape.gradient(y, other.slope),
        )

    return run


def _of_layers(make: Any, how: Any) -> Any:
    def run(tf: Any, np: Any) -> Any:
        model = make(tf)
        x = tf.constant([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]])
        before = model(x)
        other = how(model)
        with tf.GradientTape(persistent=True) as tape:
            y = tf.reduce_sum(other(x) ** 2)
        lost = tape.gradient(y, model.trainable_variables)
        found = tape.gradient(y, other.trainable_variables)
        kernel = model.trainable_variables[0]
        kernel.assign(tf.ones_like(kernel) * 7.0)  # the copy stays as it is
        return before - other(x), lost, found, other.built, type(other).__name__

    return run


def _dense(tf: Any) -> Any:
    return tf.keras.layers.Dense(2, kernel_initializer="ones", activation="tanh")


def _sequential(tf: Any) -> Any:
    return tf.keras.Sequential([tf.keras.layers.Input([3]), _dense(tf), _dense(tf)])


def _functional(tf: Any) -> Any:
    given = tf.keras.Input([3])
    return tf.keras.Model(given, _dense(tf)(given))


HOWS = {"copy": copy.copy, "deepcopy": copy.deepcopy}

TABLE = table(
    {
        "variable": _of_variable,
        **{f"{name}_asked": _asked_of_both(how) for name, how in HOWS.items()},
        **{f"{name}_module": _of_module(how) for name, how in HOWS.items()},
        **{
            f"{name}_{make.__name__[1:]}": _of_layers(make, how)
            for name, how in HOWS.items()
            for make in (_dense, _sequential, _functional)
        },
    }
)
