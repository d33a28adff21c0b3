"""Forward mode: tangents that go along with the program."""

from typing import Any

from programs.case import Case, Program, differs, table

SILENT = "TensorFlow logs; a warning names the line"


def _jvp(tf: Any, f: Any, x: Any, dx: Any, **options: Any) -> Any:
    with tf.autodiff.ForwardAccumulator(x, dx) as accumulator:
        y = f(x)
    return accumulator.jvp(y, **options)


def _of(f: Any) -> Program:
    """The jvp of f at [1.5, 2.5] along [1, 2]."""
    return lambda tf, np: _jvp(
        tf, lambda x: f(tf, x), tf.constant([1.5, 2.5]), tf.constant([1.0, 2.0])
    )


W = [[0.5, -1.0, 2.0], [1.0, 3.0, -0.5]]

OPS = {
    "identity": lambda tf, x: tf.identity(x),
    "the_primal_itself": lambda tf, x: x,
    "square": lambda tf, x: x * x,
    "power": lambda tf, x: x**3,
    "quotient": lambda tf, x: (x + 1.0) / x,
    "exp_and_log": lambda tf, x: tf.math.log(tf.exp(x) + 1.0),
    "tanh": lambda tf, x: tf.tanh(x),
    "broadcasting": lambda tf, x: x * tf.constant([[1.0], [10.0]]),
    "sum": lambda tf, x: tf.reduce_sum(x * x),
    "mean_of_nothing_that_moves": lambda tf, x: tf.reduce_mean(tf.constant([1.0])) + 0.0 * x,
    "matmul": lambda tf, x: tf.expand_dims(x, 0) @ tf.constant(W),
    "matvec": lambda tf, x: tf.linalg.matvec(tf.constant(W), x, transpose_a=True),
    "gather": lambda tf, x: tf.gather(x, [0, 1, 0]),
    "slice": lambda tf, x: x[1:] * x[0],
    "stack_and_concat": lambda tf, x: tf.concat([tf.stack([x[1], x[0]]), x], axis=0),
    "split": lambda tf, x: tf.split(x, 2)[1],
    "unstack": lambda tf, x: tf.unstack(x),
    "sort": lambda tf, x: tf.sort(-x),
    "top_k": lambda tf, x: tf.math.top_k(x, 1)[0],
    "max": lambda tf, x: tf.reduce_max(x),
    "softmax": lambda tf, x: tf.nn.softmax(x),
    "cumsum": lambda tf, x: tf.cumsum(x),
    "where": lambda tf, x: tf.where(x > 2.0, x * x, -x),
    "cast_to_float64": lambda tf, x: tf.cast(x, tf.float64),
    "a_dict": lambda tf, x: {"b": x * 2.0, "a": x},
    "floor": lambda tf, x: tf.floor(x),
    "floor_times_x": lambda tf, x: tf.floor(x) * x,
    "sign": lambda tf, x: tf.sign(x),
    "zeros_like": lambda tf, x: tf.zeros_like(x),
    "argmax": lambda tf, x: tf.argmax(x),
    "cast_to_int": lambda tf, x: tf.cast(x, tf.int32),
    "comparison": lambda tf, x: x > 1.0,
    "stop_gradient": lambda tf, x: tf.stop_gradient(x),
    "stop_gradient_plus_x": lambda tf, x: tf.stop_gradient(x) + x,
    "a_detour_through_numpy": lambda tf, x: tf.constant(x.numpy()),
    "numpy_function": lambda tf, x: tf.numpy_function(lambda v: v * 2, [x], tf.float32),
    "py_function": lambda tf, x: tf.py_function(lambda v: v * v, [x], tf.float32),
    "unique_has_no_gradient": lambda tf, x: tf.unique(x)[0],
    "a_python_number": lambda tf, x: 3.0,
    "none": lambda tf, x: None,
    "an_array": lambda tf, x: x.numpy(),
}

TABLE = table({name: _of(f) for name, f in OPS.items()})


def zeros_on_request(tf: Any, np: Any) -> Any:
    x = tf.constant([1.5, 2.5])
    return _jvp(tf, tf.floor, x, tf.constant([1.0, 2.0]), unconnected_gradients="zero")


def zeros_of_an_integer_on_request(tf: Any, np: Any) -> Any:
    x, zero = tf.constant([1.5, 2.5]), tf.UnconnectedGradients.ZERO
    return _jvp(tf, tf.argmax, x, tf.constant([1.0, 2.0]), unconnected_gradients=zero)


def unconnected_is_neither(tf: Any, np: Any) -> Any:
    x = tf.constant([1.5, 2.5])
    return _jvp(tf, tf.exp, x, tf.constant([1.0, 2.0]), unconnected_gradients="bad")


def several_primals(tf: Any, np: Any) -> Any:
    x, y = tf.constant(2.0), tf.constant(5.0)
    with tf.autodiff.ForwardAccumulator([x, y], [tf.constant(1.0), tf.constant(10.0)]) as acc:
        z = x * y
    return acc.jvp(z), acc.jvp([x, y, z])


def primals_in_a_dict(tf: Any, np: Any) -> Any:
    primals = {"a": tf.constant(2.0), "b": tf.constant(5.0)}
    tangents = {"a": tf.constant(1.0), "b": tf.constant(0.0)}
    with tf.autodiff.ForwardAccumulator(primals, tangents) as acc:
        z = primals["a"] * primals["b"]
    return acc.jvp({"z": z, "a": primals["a"]})


def a_variable(tf: Any, np: Any) -> Any:
    v = tf.Variable(3.0)
    with tf.autodiff.ForwardAccumulator(v, tf.constant(2.0)) as acc:
        y = v * v
        v.assign(5.0)
        z = v * v
    return acc.jvp(y), acc.jvp(z), acc.jvp(v)


def a_variable_that_was_assigned_what_moves(tf: Any, np: Any) -> Any:
    v, x = tf.Variable(3.0), tf.constant(1.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(2.0)) as acc:
        v.assign(x * 3.0)
        z = v * v
    return acc.jvp(v), acc.jvp(z)


def a_gathered_variable(tf: Any, np: Any) -> Any:
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    return _jvp(tf, lambda v: tf.gather(v, [1, 1]), v, tf.constant([[1.0, 0.0], [0.0, 1.0]]))


def asked_inside(tf: Any, np: Any) -> Any:
    x = tf.constant(2.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = x * x
        inside = acc.jvp(y)
    return inside, acc.jvp(y)


def entered_again(tf: Any, np: Any) -> Any:
    x = tf.constant(2.0)
    acc = tf.autodiff.ForwardAccumulator(x, tf.constant(1.0))
    with acc:
        y = x * x
    z = x * x
    with acc:
        w = x * y
    return acc.jvp(y), acc.jvp(z), acc.jvp(w)


def entered_twice(tf: Any, np: Any) -> Any:
    acc = tf.autodiff.ForwardAccumulator(tf.constant(2.0), tf.constant(1.0))
    with acc, acc:
        pass


def before_it_was_entered(tf: Any, np: Any) -> Any:
    x = tf.constant(2.0)
    acc = tf.autodiff.ForwardAccumulator(x, tf.constant(1.0))
    return acc.jvp(x), acc.jvp(x * x)


def a_primal_twice(tf: Any, np: Any) -> Any:
    x, dx = tf.constant(2.0), tf.constant(1.0)
    tf.autodiff.ForwardAccumulator([x, x], [dx, dx])


def fewer_tangents_than_primals(tf: Any, np: Any) -> Any:
    x, dx = tf.constant(2.0), tf.constant(1.0)
    tf.autodiff.ForwardAccumulator([x, x * 1.0], [dx])


def a_list_of_numbers_as_tangent(tf: Any, np: Any) -> Any:
    tf.autodiff.ForwardAccumulator(tf.constant([1.0, 2.0]), [1.0, 2.0])


def a_python_number_as_tangent(tf: Any, np: Any) -> Any:
    return _jvp(tf, lambda x: x * x, tf.constant(3.0), 2.0)


def a_tangent_of_another_dtype(tf: Any, np: Any) -> Any:
    tf.autodiff.ForwardAccumulator(tf.constant(1.0), tf.constant(1.0, tf.float64))


def a_tangent_that_is_none(tf: Any, np: Any) -> Any:
    tf.autodiff.ForwardAccumulator(tf.constant(1.0), None)


def a_tangent_of_another_shape(tf: Any, np: Any) -> Any:
    return _jvp(tf, lambda x: x * x, tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0]))


@differs("TensorFlow stretches it where an op broadcasts", raises="ValueError")
def a_scalar_as_tangent_of_a_vector(tf: Any, np: Any) -> Any:
    return _jvp(tf, lambda x: x * x, tf.constant([1.0, 2.0]), tf.constant(1.0))


def a_primal_that_is_a_number(tf: Any, np: Any) -> Any:
    tf.autodiff.ForwardAccumulator(3.0, 1.0)


def a_primal_that_is_an_array(tf: Any, np: Any) -> Any:
    tf.autodiff.ForwardAccumulator(np.ones(2), np.ones(2))


@differs(SILENT, warns=("UserWarning",))
def an_integer_primal(tf: Any, np: Any) -> Any:
    return _jvp(tf, lambda x: x * x, tf.constant(3), tf.constant(1))


def another_thread_is_not_heard(tf: Any, np: Any) -> Any:
    import threading

    x, answers = tf.constant(2.0), []
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        thread = threading.Thread(target=lambda: answers.append(x * x))
        thread.start()
        thread.join()
    return acc.jvp(answers[0])


# --- higher orders ---


def twice_forward(tf: Any, np: Any) -> Any:
    x, one = tf.constant(1.1), tf.constant(1.0)
    with (
        tf.autodiff.ForwardAccumulator(x, one) as outer,
        tf.autodiff.ForwardAccumulator(x, one) as inner,
    ):
        y = x**3.5
    first = inner.jvp(y)
    return first, outer.jvp(first), outer.jvp(y), inner.jvp(outer.jvp(y))


def three_times_forward(tf: Any, np: Any) -> Any:
    def along(f: Any) -> Any:
        def slope(x: Any) -> Any:
            return _jvp(tf, f, x, tf.constant(1.0))

        return slope

    return along(along(along(lambda x: tf.sin(x) * x)))(tf.constant(0.7))


def forward_over_reverse(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(v, tf.constant([1.0, 0.5])) as acc:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(v**3 * tf.reverse(v, [0]))
        gradient = tape.gradient(y, v)
    return gradient, acc.jvp(gradient)


def forward_over_reverse_asked_too_late(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    with (
        tf.autodiff.ForwardAccumulator(v, tf.constant([1.0, 0.5])) as acc,
        tf.GradientTape() as tape,
    ):
        y = tf.reduce_sum(v**3)
    return acc.jvp(tape.gradient(y, v))


def forward_over_reverse_through_a_layer(tf: Any, np: Any) -> Any:
    x, w = tf.constant([[0.5, -1.0], [2.0, 0.25]]), tf.Variable(W)
    direction = tf.constant([[1.0, 0.0, 2.0], [0.0, -1.0, 0.5]])
    with tf.autodiff.ForwardAccumulator(w, direction) as acc:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.softmax(tf.tanh(x @ w)) ** 2)
        gradient = tape.gradient(loss, w)
    return acc.jvp(gradient)


def reverse_over_forward(tf: Any, np: Any) -> Any:
    x, dx = tf.constant([1.5, 2.5]), tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.autodiff.ForwardAccumulator(x, dx) as acc:
            y = tf.reduce_sum(x**3 * tf.reverse(x, [0]))
        jvp = acc.jvp(y)
    return jvp, tape.gradient(jvp, x)


def a_gradient_by_the_tangent(tf: Any, np: Any) -> Any:
    """The jvp is linear in the tangent: its gradient by it is the plain gradient."""
    x, dx = tf.constant([1.5, 2.5]), tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(dx)
        with tf.autodiff.ForwardAccumulator(x, dx) as acc:
            y = tf.reduce_sum(tf.exp(x))
        jvp = acc.jvp(y)
    return tape.gradient(jvp, dx)


def an_inner_tape_does_not_see_outer_tangents(tf: Any, np: Any) -> Any:
    x, dx = tf.constant([1.5, 2.5]), tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, dx) as acc, tf.GradientTape() as tape:
        tape.watch(x)
        y = x**3
        jvp = acc.jvp(y)
    return tape.gradient(jvp, x)


# --- rules of one's own ---


def custom_gradient_is_passed_by(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * 100.0

    return _jvp(tf, f, tf.constant([1.5, 2.5]), tf.constant([1.0, 2.0]))


def custom_gradient_around_numpy(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return np.sin(x.numpy()), lambda upstream: upstream * tf.cos(x)

    return _jvp(tf, f, tf.constant([1.5, 2.5]), tf.constant([1.0, 2.0]))


@differs(
    "TensorFlow refuses to transpose its recomputation; here it is ops like all others",
    gives={"kind": "Tensor", "dtype": "float32", "shape": [2], "value": [3.0, 10.0]},
)
def recompute_grad(tf: Any, np: Any) -> Any:
    f = tf.recompute_grad(lambda x: x * x)
    return _jvp(tf, f, tf.constant([1.5, 2.5]), tf.constant([1.0, 2.0]))


# --- complex numbers ---


def _of_complex(f: Any) -> Program:
    return lambda tf, np: _jvp(
        tf, lambda z: f(tf, z), tf.constant(1.0 + 2.0j), tf.constant(0.5 - 1.0j)
    )


COMPLEX = {
    "complex_square": lambda tf, z: z * z,
    "complex_exp": lambda tf, z: tf.exp(z),
    "complex_conjugate": lambda tf, z: tf.math.conj(z),
    "complex_real_part": lambda tf, z: tf.math.real(z),
    "complex_imaginary_part": lambda tf, z: tf.math.imag(z),
    "complex_absolute_value": lambda tf, z: tf.abs(z),
    "complex_through_its_real_part": lambda tf, z: tf.cast(tf.math.real(z), tf.complex128) * z,
}

TABLE += tuple(Case(name, _of_complex(f)) for name, f in COMPLEX.items())
