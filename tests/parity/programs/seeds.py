"""The examples of `tf.GradientTape`'s own documentation and their kin: answers known by heart."""

from typing import Any

from programs.case import differs


def a_parabola(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    return g.gradient(y, x)


def nested_with_the_outer_tape_watching(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as g:
        g.watch(x)
        with tf.GradientTape() as gg:
            gg.watch(x)
            y = x * x
        dy_dx = gg.gradient(y, x)
    return dy_dx, g.gradient(dy_dx, x)


def nested_without_the_outer_tape_watching(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as g:
        with tf.GradientTape() as gg:
            gg.watch(x)
            y = x * x
        dy_dx = gg.gradient(y, x)
    return dy_dx, g.gradient(dy_dx, x)


def persistent(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as g:
        g.watch(x)
        y = x * x
        z = y * y
    return g.gradient(z, x), g.gradient(y, x)


def only_what_is_watched(tf: Any, np: Any) -> Any:
    variable_a, variable_b = tf.Variable(2.0), tf.Variable(5.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(variable_a)
        y = variable_a**2
        z = variable_b**3
    return tape.gradient([y, z], [variable_a, variable_b]), len(tape.watched_variables())


def a_layer_with_a_list_on_the_left(tf: Any, np: Any) -> Any:
    w = tf.Variable([[0.1, -0.2], [0.3, 0.4], [-0.5, 0.6]], name="w")
    b = tf.Variable(tf.zeros(2, dtype=tf.float32), name="b")
    x = [[1.0, 2.0, 3.0]]
    with tf.GradientTape(persistent=True) as tape:
        y = x @ w + b
        loss = tf.reduce_mean(y**2)
    by_dict = tape.gradient(loss, {"w": w, "b": b})
    dl_dw, dl_db = tape.gradient(loss, [w, b])
    return dl_dw, dl_db, by_dict, dl_dw.shape == w.shape, dl_db.shape == b.shape


def four_sources(tf: Any, np: Any) -> Any:
    x0 = tf.Variable(3.0, name="x0")
    x1 = tf.Variable(3.0, name="x1", trainable=False)
    x2 = tf.Variable(2.0, name="x2") + 1.0
    x3 = tf.constant(3.0, name="x3")
    with tf.GradientTape() as tape:
        y = (x0**2) + (x1**2) + (x2**2)
    return tape.gradient(y, [x0, x1, x2, x3]), [var.name for var in tape.watched_variables()]


def a_dict_of_sources_through_sin_and_softplus(tf: Any, np: Any) -> Any:
    x0, x1 = tf.Variable(0.0), tf.Variable(10.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(x1)
        y0 = tf.math.sin(x0)
        y1 = tf.nn.softplus(x1)
        y = y0 + y1
        ys = tf.reduce_sum(y)
    grad = tape.gradient(ys, {"x0": x0, "x1": x1})
    return grad["x0"], grad["x1"]


def an_intermediate_result(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    return tape.gradient(z, y)


def a_persistent_vector(tf: Any, np: Any) -> Any:
    x = tf.constant([1, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    return tape.gradient(z, x), tape.gradient(y, x)


def the_sum_of_targets(tf: Any, np: Any) -> Any:
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y0 = x**2
        y1 = 1 / x
    return tape.gradient({"y0": y0, "y1": y1}, x)


def a_vector_of_targets(tf: Any, np: Any) -> Any:
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * [3.0, 4.0]
    return tape.gradient(y, x)


def a_variable_replaced_by_a_tensor(tf: Any, np: Any) -> Any:
    x, answers = tf.Variable(2.0), []
    for _ in range(2):
        with tf.GradientTape() as tape:
            y = x + 1
        answers.append(tape.gradient(y, x))
        x = x + 1
    return answers


def a_detour_through_numpy(tf: Any, np: Any) -> Any:
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0]], dtype=tf.float32)
    with tf.GradientTape() as tape:
        x2 = x**2
        y = np.mean(x2, axis=0)
        y = tf.reduce_mean(y, axis=0)
    return y, tape.gradient(y, x)


@differs("TensorFlow logs; a warning names the line", warns=("UserWarning",))
def an_integer_variable(tf: Any, np: Any) -> Any:
    x = tf.Variable([[2, 2], [2, 2]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x)


def an_unconnected_source(tf: Any, np: Any) -> Any:
    x, y = tf.Variable([2.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        z = y**2
    zero = tf.UnconnectedGradients.ZERO
    return tape.gradient(z, x), tape.gradient(z, x, unconnected_gradients=zero)


def state_hides_what_was_assigned(tf: Any, np: Any) -> Any:
    x0, x1 = tf.Variable(3.0), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        x1.assign_add(x0)
        y = x1**2
    return y, tape.gradient(y, x0)


def jacobian_of_a_square(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    return g.jacobian(y, x)


def jacobian_of_a_stack(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stack([x[0] ** 2, tf.sin(x[1])])
    return tape.jacobian(y, x)


def jacobian_of_a_sigmoid_by_a_scalar(tf: Any, np: Any) -> Any:
    x, delta = tf.linspace(-10.0, 10.0, 21), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        y = tf.nn.sigmoid(x + delta)
    return tape.jacobian(y, delta)


def batch_jacobian_of_a_square(tf: Any, np: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]], dtype=tf.float32)
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    return g.batch_jacobian(y, x)


def stop_recording_around_gradient(tf: Any, np: Any) -> Any:
    x = tf.constant(4.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x**2
        with t.stop_recording():
            dy_dx = t.gradient(y, x)
    return dy_dx, t.gradient(dy_dx, x)


def stop_recording_in_the_middle(tf: Any, np: Any) -> Any:
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as t:
        x_sq = x * x
        with t.stop_recording():
            y_sq = y * y
        z = x_sq + y_sq
    return t.gradient(z, {"x": x, "y": y})


def reset_in_straight_code(tf: Any, np: Any) -> Any:
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as t:
        _ = y * y + x * x
        t.reset()
        z = x * x
    return t.gradient(z, {"x": x, "y": y})


def reset_under_if(tf: Any, np: Any) -> Any:
    x, y, reset = tf.Variable(2.0), tf.Variable(3.0), True
    with tf.GradientTape() as t:
        y_sq = y * y
        if reset:
            t.reset()
        z = x * x + y_sq
    return t.gradient(z, {"x": x, "y": y})


def stop_gradient(tf: Any, np: Any) -> Any:
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as t:
        y_sq = y**2
        z = x**2 + tf.stop_gradient(y_sq)
    return t.gradient(z, {"x": x, "y": y})


def a_branch_in_python(tf: Any, np: Any) -> Any:
    x, v0, v1 = tf.constant(1.0), tf.Variable(2.0), tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        result = v0 if x > 0.0 else v1**2
    return tape.gradient(result, [v0, v1]), tape.gradient(result, x)


def sixth_powers_derivatives(tf: Any, np: Any) -> Any:
    x = tf.Variable(1.0)
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            y = x * x * x
        dy_dx = t1.gradient(y, x)
    return dy_dx, t2.gradient(dy_dx, x)


def an_input_gradient_as_regulariser(tf: Any, np: Any) -> Any:
    x = tf.constant([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5]])
    w, b = tf.Variable([[0.1], [0.2], [-0.3]]), tf.Variable([0.05])
    with tf.GradientTape() as t2:
        with tf.GradientTape(watch_accessed_variables=False) as t1:
            t1.watch(x)
            out = tf.reduce_sum(tf.tanh(x @ w + b) ** 2)
        g1 = t1.gradient(out, x)
        g1_mag = tf.norm(g1)
    return g1_mag, t2.gradient(g1_mag, [w, b])


def a_line_fitted_in_ten_steps(tf: Any, np: Any) -> Any:
    x = tf.linspace(-2.0, 2.0, 9)
    y = 3.0 * x + 2.0
    w, b = tf.Variable(5.0), tf.Variable(0.0)
    losses = []
    for _ in range(10):
        with tf.GradientTape() as t:
            loss = tf.reduce_mean(tf.square(y - (w * x + b)))
        dw, db = t.gradient(loss, [w, b])
        w.assign_sub(0.1 * dw)
        b.assign_sub(0.1 * db)
        losses.append(loss)
    return losses, w, b


def log1pexp_at_one_hundred_is_nan(tf: Any, np: Any) -> Any:
    x = tf.constant(100.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.log(1 + tf.exp(x))
    return tape.gradient(y, x)


def a_second_gradient_on_a_spent_tape(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    g.gradient(y, x)
    return g.gradient(y, x)


def an_unknown_unconnected_gradients(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    return g.gradient(y, x, unconnected_gradients="nonsense")


def watch_of_a_number(tf: Any, np: Any) -> Any:
    with tf.GradientTape() as g:
        g.watch(3.0)
