"""Functions of functions: the older way to ask for gradients."""

from importlib import import_module
from typing import Any

from programs.case import differs

SILENT = "TensorFlow is silent or logs; a warning names the line"


def _api(tf: Any) -> Any:
    """Where the functions live: TensorFlow no longer shows them under its own name."""
    inner = {"tensorflow": "tensorflow.python.eager.backprop"}
    return import_module(inner.get(tf.__name__, "minitape.autodiff"))


def _f(x: Any, y: Any) -> Any:
    return x * x * x * y - x * y * y


def gradients_by_all_arguments(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_f)(2.0, 3.0)


def gradients_of_tensors(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_f)(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]))


def gradients_of_an_array(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(lambda x: x * x)(np.array([1.0, 2.0]))


def params_by_position(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_f, params=[1])(2.0, 3.0)


def params_by_name(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_f, params=["y"])(2.0, 3.0)


def params_in_another_order(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_f, params=["y", "x"])(2.0, 3.0)


def no_params(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_f, params=[])(2.0, 3.0)


def params_mixed(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_f, params=["y", 0])(2.0, 3.0)


def params_unknown(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_f, params=["z"])(2.0, 3.0)


def params_out_of_range(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_f, params=[5])(2.0, 3.0)


def too_few_arguments(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_f)(2.0)


def an_argument_with_a_default(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(lambda x, y=2.0: x * y)(3.0)


def an_argument_with_a_default_that_is_not_asked_for(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(lambda x, y=2.0: x * y, params=[0])(3.0)


def any_number_of_arguments(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(lambda *xs: xs[0] * xs[1])(2.0, 3.0)


def a_keyword(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_f)(2.0, y=3.0)


class _Scale:
    by = 3.0

    def method(self, x: Any) -> Any:
        return x * x * self.by

    def __call__(self, x: Any) -> Any:
        return x * x * self.by


def a_method(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_Scale().method)(2.0)


def an_object_that_can_be_called(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_Scale())(2.0)


def a_seed(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(_f)(2.0, 3.0, dy=10.0)


def a_seed_of_a_vector(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(lambda x: x * x)([1.0, 2.0], dy=[1.0, 0.0])


def one_number_as_seed_of_a_vector(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(lambda x: x * x)([1.0, 2.0], dy=5.0)


def a_seed_of_another_dtype(tf: Any, np: Any) -> Any:
    seed = tf.constant([1.0, 2.0], tf.float64)
    return _api(tf).gradients_function(lambda x: x * x)([1.0, 2.0], dy=seed)


def seeds_of_two_values(tf: Any, np: Any) -> Any:
    f = _api(tf).val_and_grad_function(lambda x: (x * x, x * 3.0))
    return f(2.0), f(2.0, dy=(10.0, 100.0))


def a_dict_of_values(tf: Any, np: Any) -> Any:
    return _api(tf).val_and_grad_function(lambda x: {"a": x * x})(2.0)


def the_value_too(tf: Any, np: Any) -> Any:
    return _api(tf).val_and_grad_function(_f)(2.0, 3.0)


def the_same_tensor_twice(tf: Any, np: Any) -> Any:
    one = tf.constant(1.0)
    return _api(tf).gradients_function(lambda x, y: 2.0 * x * y + y)(one, one)


def an_argument_that_is_not_used(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(lambda x, y: x * x)(2.0, 3.0)


@differs(SILENT, warns=("UserWarning",))
def an_integer_argument(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(lambda x: x * x)(3)


@differs(SILENT, warns=("UserWarning",))
def an_integer_beside_a_float(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(lambda x, n: x * tf.cast(n, tf.float32))(2.0, 3)


def a_variable_as_argument(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(lambda x: x * x)(tf.Variable(4.0))


def a_variable_inside(tf: Any, np: Any) -> Any:
    w = tf.Variable(4.0)
    return _api(tf).gradients_function(lambda x: x * w)(2.0)


def returns_none(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(lambda x: None)(1.0)


def returns_none_among_others(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(lambda x: (x, None))(1.0)


def returns_its_argument(tf: Any, np: Any) -> Any:
    return _api(tf).val_and_grad_function(lambda x: x)(2.0)


def returns_a_number(tf: Any, np: Any) -> Any:
    return _api(tf).val_and_grad_function(lambda x: 3.0)(2.0)


def returns_an_array(tf: Any, np: Any) -> Any:
    return _api(tf).val_and_grad_function(lambda x: x.numpy() * 2.0)(2.0)


def raises(tf: Any, np: Any) -> Any:
    return _api(tf).gradients_function(lambda x: x / 0 if x is None else 1 / 0)(2.0)


def second_order(tf: Any, np: Any) -> Any:
    api = _api(tf)
    slope = api.gradients_function(_f)
    return api.gradients_function(lambda x, y: slope(x, y)[0])(2.0, 3.0)


def third_order(tf: Any, np: Any) -> Any:
    gradients = _api(tf).gradients_function
    first = gradients(lambda x: x**4)
    second = gradients(lambda x: first(x)[0])
    return gradients(lambda x: second(x)[0])(2.0)


def a_gradient_function_differentiated_as_it_is(tf: Any, np: Any) -> Any:
    gradients = _api(tf).gradients_function
    return gradients(gradients(lambda x: x**3))(2.0)


def inside_a_tape(tf: Any, np: Any) -> Any:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        (first,) = _api(tf).gradients_function(lambda z: z**3)(x)
    return first, tape.gradient(first, x)


# --- make_vjp ---


def vjp_without_and_with_a_seed(tf: Any, np: Any) -> Any:
    value, vjp = _api(tf).make_vjp(_f)(2.0, 3.0)
    return value, vjp(), vjp(tf.constant(2.0)), vjp(dy=3.0)


def vjp_by_name(tf: Any, np: Any) -> Any:
    value, vjp = _api(tf).make_vjp(_f, params=["x"])(2.0, 3.0)
    return value, vjp()


def vjp_once(tf: Any, np: Any) -> Any:
    value, vjp = _api(tf).make_vjp(_f, persistent=False)(2.0, 3.0)
    return value, vjp()


def vjp_twice_though_not_persistent(tf: Any, np: Any) -> Any:
    _, vjp = _api(tf).make_vjp(_f, persistent=False)(2.0, 3.0)
    vjp()
    return vjp()


def vjp_of_a_matrix_product(tf: Any, np: Any) -> Any:
    a, b = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[0.5], [-1.0]])
    _, vjp = _api(tf).make_vjp(lambda a, b: a @ b)(a, b)
    return vjp(tf.constant([[1.0], [10.0]]))


def vjp_of_a_function_that_returns_none(tf: Any, np: Any) -> Any:
    return _api(tf).make_vjp(lambda x: None)(2.0)


# --- by the variables ---


def _pairs(pairs: Any) -> Any:
    return [(gradient, variable.name) for gradient, variable in pairs]


def implicit_gradients(tf: Any, np: Any) -> Any:
    v, w = tf.Variable(4.0, name="v"), tf.Variable(5.0, name="w")
    return _pairs(_api(tf).implicit_grad(lambda k: w * k * v)(tf.constant(3.0)))


def implicit_value_and_gradients(tf: Any, np: Any) -> Any:
    w = tf.Variable(5.0, name="w")
    value, pairs = _api(tf).implicit_val_and_grad(lambda k: (w * k, w * w))(tf.constant(3.0))
    return value, _pairs(pairs)


def implicit_with_a_keyword(tf: Any, np: Any) -> Any:
    w = tf.Variable(5.0, name="w")
    return _pairs(_api(tf).implicit_grad(lambda k=1.0: w * k)(k=3.0))


def implicit_of_a_variable_that_does_not_matter(tf: Any, np: Any) -> Any:
    w = tf.Variable(5.0, name="w")
    return _pairs(_api(tf).implicit_grad(lambda: (w * 1.0, tf.constant(2.0))[1])())


def implicit_of_gathered_rows(tf: Any, np: Any) -> Any:
    table = tf.Variable([1.0, 2.0, 3.0], name="table")
    return _pairs(_api(tf).implicit_grad(lambda: tf.gather(table, [0, 0]))())


def implicit_without_a_variable(tf: Any, np: Any) -> Any:
    return _api(tf).implicit_grad(lambda: tf.constant(1.0))()


def implicit_of_a_variable_that_is_not_trainable(tf: Any, np: Any) -> Any:
    frozen = tf.Variable(5.0, trainable=False)
    return _api(tf).implicit_grad(lambda: frozen * 2.0)()


def implicit_of_a_function_that_returns_none(tf: Any, np: Any) -> Any:
    w = tf.Variable(5.0)
    return _api(tf).implicit_grad(lambda: (w * 2.0, None)[1])()


def implicit_pairs_feed_an_update(tf: Any, np: Any) -> Any:
    w = tf.Variable(5.0)
    step = _api(tf).implicit_grad(lambda x: (w * x - 6.0) ** 2)
    for _ in range(5):
        for gradient, variable in step(tf.constant(2.0)):
            variable.assign_sub(0.1 * gradient)
    return w


def gradients_of_a_graph(tf: Any, np: Any) -> Any:
    x = tf.constant(1.0)
    return tf.gradients(x * x, x)
