"""Gradients that the user writes."""

from typing import Any

from programs.case import differs


def _gradient(tf: Any, f: Any, value: Any = 3.0) -> Any:
    x = tf.constant(value)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def one_gradient(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * 100.0

    return _gradient(tf, f)


def of_a_stable_log1pexp(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def log1pexp(x: Any) -> Any:
        e = tf.exp(x)

        def grad(upstream: Any) -> Any:
            return upstream * (1 - 1 / (1 + e))

        return tf.math.log(1 + e), grad

    return _gradient(tf, log1pexp, 100.0)


def none_as_gradient(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: None

    return _gradient(tf, f)


def the_wrong_number_of_gradients(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any, y: Any) -> Any:
        return x * y, lambda upstream: upstream

    return _gradient(tf, lambda x: f(x, x))


def two_arguments(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any, y: Any) -> Any:
        return x * y, lambda upstream: (upstream * 10.0, upstream * 1000.0)

    x, y = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = f(x, y)
    return z, tape.gradient(z, [x, y])


def a_keyword(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any, factor: float = 2.0) -> Any:
        return x * factor, lambda upstream: upstream * factor

    return _gradient(tf, lambda x: f(x, factor=5.0))


def two_outputs(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return (x, x * 2.0), lambda a, b: a + 10.0 * b

    return _gradient(tf, lambda x: sum(f(x)))


def a_variable_inside(tf: Any, np: Any) -> Any:
    w = tf.Variable(2.0)

    @tf.custom_gradient
    def f(x: Any) -> Any:
        def grad(upstream: Any, variables: Any = None) -> Any:
            return upstream * w, [upstream * 7.0]

        return x * w, grad

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, [x, w])


def a_variable_inside_that_grad_does_not_take(tf: Any, np: Any) -> Any:
    w = tf.Variable(2.0)

    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * w, lambda upstream: upstream

    return _gradient(tf, f)


def no_gradient_function(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x

    return _gradient(tf, f)


def second_order(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * 2.0 * x

    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x)
    return first, outer.gradient(first, x)


def without_a_tape(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * 100.0

    return f(tf.constant(3.0))


def what_it_computes_inside_is_not_seen_outside(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return tf.round(x), lambda upstream: upstream

    return _gradient(tf, lambda x: f(x) * x, 2.75)


def clipped_on_the_way_back(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def clip_gradients(y: Any) -> Any:
        return y, lambda upstream: tf.clip_by_norm(upstream, 0.5)

    v = tf.Variable(2.0)
    with tf.GradientTape() as t:
        output = clip_gradients(v * v)
    return t.gradient(output, v)


def a_vector(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * tf.constant([10.0, 100.0])

    return _gradient(tf, f, [1.0, 2.0])


# --- variables ---


def variables_taken_as_any_keyword(tf: Any, np: Any) -> Any:
    w = tf.Variable(2.0)

    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * w, lambda upstream, **kwargs: (upstream, [upstream * len(kwargs["variables"])])

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, [x, w])


def too_few_gradients_for_the_variables(tf: Any, np: Any) -> Any:
    w = tf.Variable(2.0)

    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * w, lambda upstream, variables=None: (upstream, [])

    return _gradient(tf, f)


def a_variable_as_argument(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(v: Any, x: Any) -> Any:
        return v * x, lambda upstream: (upstream * 10.0, upstream * 20.0)

    v, x = tf.Variable(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(v, x)
    return tape.gradient(y, [v, x])


def a_variable_that_is_not_trainable(tf: Any, np: Any) -> Any:
    w = tf.Variable(2.0, trainable=False)

    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * w, lambda upstream: upstream * 5.0

    return _gradient(tf, f)


# --- what goes in and what comes out ---


def a_dict_in_and_a_dict_out(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(parts: Any) -> Any:
        total = parts["a"] + parts["b"]
        return {"total": total}, lambda upstream: {"a": upstream * 2.0, "b": upstream * 3.0}

    a, b = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = f({"a": a, "b": b})["total"]
    return tape.gradient(y, [a, b])


def a_tensor_as_keyword_is_no_input(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any, z: Any = None) -> Any:
        return x * z, lambda upstream: upstream * 10.0

    a, b = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = f(a, z=b)
    return tape.gradient(y, [a, b])


def what_was_used_inside_and_is_no_input(tf: Any, np: Any) -> Any:
    """A tape that watches no input goes by the ops inside."""
    b = tf.constant(2.0)

    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * b, lambda upstream: upstream * 10.0

    with tf.GradientTape() as tape:
        tape.watch(b)
        y = f(tf.constant(3.0))
    return tape.gradient(y, b)


def it_returns_its_input(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x, lambda upstream: upstream * 5.0

    return _gradient(tf, lambda x: f(x) + x)


def an_output_that_nobody_used(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return (x * 1.0, x * 2.0), lambda a, b: a * 10.0 + b * 100.0

    return _gradient(tf, lambda x: f(x)[0])


def none_beside_another_path(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: None

    return _gradient(tf, lambda x: f(x) + x)


def an_integer_argument(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any, n: Any) -> Any:
        return x * float(n), lambda upstream: (upstream * n, None)

    return _gradient(tf, lambda x: f(x, 3))


@differs(
    "TensorFlow hands out what the user returned; here a gradient is a tensor",
    gives={"kind": "Tensor", "dtype": "float32", "shape": [], "value": 5.0},
)
def a_python_number_as_gradient(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * 2.0, lambda upstream: 5.0

    return _gradient(tf, f)


@differs(
    "TensorFlow hands out what the user returned; here a gradient is a tensor",
    gives={"kind": "Tensor", "dtype": "float32", "shape": [], "value": 5.0},
)
def a_numpy_number_as_gradient(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * 2.0, lambda upstream: np.float32(5.0)

    return _gradient(tf, f)


def a_gradient_of_another_shape(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * 2.0, lambda upstream: tf.constant([1.0, 2.0, 3.0])

    return _gradient(tf, f)


def slices_as_gradient(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(table: Any) -> Any:
        rows = tf.constant([0, 1])
        return tf.gather(table, rows), lambda upstream: tf.IndexedSlices(
            upstream * 2.0, rows, tf.constant([3])
        )

    return _gradient(tf, f, [1.0, 2.0, 3.0])


def an_error_in_the_gradient_function(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        def grad(upstream: Any) -> Any:
            raise KeyError("lost")

        return x * 2.0, grad

    return _gradient(tf, f)


def a_method(tf: Any, np: Any) -> Any:
    class Scale(tf.Module):
        by = 4.0

        @tf.custom_gradient
        def scaled(self, x: Any) -> Any:
            return x * self.by, lambda upstream: upstream * self.by * 2.0

    return _gradient(tf, Scale().scaled)


def a_decorator_with_parentheses(tf: Any, np: Any) -> Any:
    @tf.custom_gradient()
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * 9.0

    return _gradient(tf, f)


# --- nesting and higher order ---


def one_inside_another(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def inner(x: Any) -> Any:
        return x * x, lambda upstream: upstream * 7.0

    @tf.custom_gradient
    def outer(x: Any) -> Any:
        return inner(x) * 2.0, lambda upstream: upstream * inner(x)

    return _gradient(tf, outer)


def _twice(tf: Any, f: Any, *more: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        first = tape.gradient(y, x)
    return first, outer.gradient(first, [x, *more])


def a_gradient_function_with_a_gradient_of_its_own(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        @tf.custom_gradient
        def grad(upstream: Any) -> Any:
            return upstream * 2.0 * x, lambda second: second * 1000.0

        return x * x, grad

    return _twice(tf, f)


def a_gradient_function_whose_own_is_asked(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def slope(x: Any) -> Any:
        return 2.0 * x, lambda second: second * 1000.0

    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * slope(x)

    return _twice(tf, f)


def second_order_by_a_variable(tf: Any, np: Any) -> Any:
    w = tf.Variable(2.0)

    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * w, lambda upstream, variables=None: (upstream * w * w, [upstream * x])

    return _twice(tf, f, w)


def the_same_seed_under_two_tapes(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * 2.0 * x

    x, seed, seconds = tf.constant(3.0), tf.constant(1.0), []
    with tf.GradientTape(persistent=True) as inner:
        inner.watch(x)
        y = f(x)
    for _ in range(2):
        with tf.GradientTape() as outer:
            outer.watch(x)
            first = inner.gradient(y, x, output_gradients=seed)
        seconds.append(outer.gradient(first, x))
    return seconds


def a_jacobian_through_it(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * tf.constant([10.0, 100.0])

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x) * x
    return tape.jacobian(y, x)


# --- recompute_grad ---


def recompute_of_a_square(tf: Any, np: Any) -> Any:
    return _gradient(tf, tf.recompute_grad(lambda x: x * x))


def recompute_runs_twice(tf: Any, np: Any) -> Any:
    calls = []

    def f(x: Any) -> Any:
        calls.append(1)
        return x * x

    return _gradient(tf, lambda x: tf.recompute_grad(f)(x) * 2.0), len(calls)


def recompute_with_a_variable(tf: Any, np: Any) -> Any:
    w, x = tf.Variable(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.recompute_grad(lambda x: x * x * w)(x)
    return tape.gradient(y, [x, w]), len(tape.watched_variables())


def recompute_of_two_arguments(tf: Any, np: Any) -> Any:
    return _gradient(tf, lambda x: tf.recompute_grad(lambda a, b: a * b)(x, x * 2.0))


def recompute_of_two_outputs(tf: Any, np: Any) -> Any:
    return _gradient(tf, lambda x: sum(tf.recompute_grad(lambda x: (x * 2.0, x * x))(x)))


def recompute_of_a_list(tf: Any, np: Any) -> Any:
    return _gradient(tf, lambda x: tf.recompute_grad(lambda xs: xs[0] * xs[1])([x, x * 2.0]))


def recompute_with_a_keyword(tf: Any, np: Any) -> Any:
    return _gradient(tf, lambda x: tf.recompute_grad(lambda x, by=1.0: x * by)(x, by=4.0))


def recompute_keeps_the_function(tf: Any, np: Any) -> Any:
    def f(x: Any) -> Any:
        return x

    return tf.recompute_grad(f).__wrapped__ is f


def recompute_without_a_tape(tf: Any, np: Any) -> Any:
    return tf.recompute_grad(lambda x: x * x)(tf.constant(3.0))


def recompute_one_inside_another(tf: Any, np: Any) -> Any:
    inner = tf.recompute_grad(lambda x: x * x)
    return _gradient(tf, tf.recompute_grad(lambda x: inner(x) * 3.0))


@differs(
    "TensorFlow refuses to differentiate a recomputation; here it is ops like all others",
    gives={
        "kind": "tuple",
        "items": [
            {"kind": "Tensor", "dtype": "float32", "shape": [], "value": 54.0},
            [
                {"kind": "Tensor", "dtype": "float32", "shape": [], "value": 36.0},
                {"kind": "Tensor", "dtype": "float32", "shape": [], "value": 27.0},
            ],
        ],
    },
)
def recompute_to_second_order(tf: Any, np: Any) -> Any:
    w = tf.Variable(2.0)
    return _twice(tf, tf.recompute_grad(lambda x: x * x * x * w), w)


# --- grad_pass_through ---


def pass_through_a_round(tf: Any, np: Any) -> Any:
    return _gradient(tf, lambda x: tf.grad_pass_through(tf.round)(x) * 4.0, 2.7)


def pass_through_with_a_keyword(tf: Any, np: Any) -> Any:
    return _gradient(
        tf, lambda x: tf.grad_pass_through(lambda x, by=1.0: tf.round(x) * by)(x, by=3.0), 2.7
    )


def pass_through_with_a_variable(tf: Any, np: Any) -> Any:
    w, x = tf.Variable(2.0), tf.constant(2.7)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.grad_pass_through(lambda x: tf.round(x) * w)(x)
    return tape.gradient(y, [x, w])


def pass_through_two_arguments(tf: Any, np: Any) -> Any:
    return _gradient(tf, lambda x: tf.grad_pass_through(lambda a, b: a * b)(x, x))


# --- complex numbers ---


def complex_cotangents_and_answers(tf: Any, np: Any) -> Any:
    arrived = []

    @tf.custom_gradient
    def f(z: Any) -> Any:
        def grad(upstream: Any) -> Any:
            arrived.append(upstream)
            return upstream * (3.0 + 1.0j)

        return z * z, grad

    z = tf.constant(1.0 + 2.0j)
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = f(z) * (2.0 + 1.0j)
    return tape.gradient(y, z, output_gradients=tf.constant(1.0 - 1.0j)), arrived


def complex_recomputation(tf: Any, np: Any) -> Any:
    z = tf.constant(1.0 + 2.0j)
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = tf.recompute_grad(lambda z: z * z * z)(z)
    return tape.gradient(y, z)


def an_empty_jacobian_through_it(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * 2.0 * x

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)[2:]
    return tape.jacobian(y, x)
