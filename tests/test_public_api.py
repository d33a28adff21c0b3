"""The public API: it has TensorFlow's names, and a missing name raises a helpful error."""

import importlib
import inspect
import warnings
from typing import Any

import numpy as np
import pytest

import minitape as tf

API_MODULES = [
    "bitwise",
    "debugging",
    "dtypes",
    "linalg",
    "math",
    "nest",
    "nn",
    "random",
    "strings",
    "test",
]

# What introductory GradientTape programs use.
SURFACE = [
    "GradientTape",
    "Module",
    "Variable",
    "Tensor",
    "IndexedSlices",
    "UnconnectedGradients",
    "TensorShape",
    "abs",
    "add_n",
    "argmax",
    "argsort",
    "cast",
    "clip_by_value",
    "concat",
    "constant",
    "convert_to_tensor",
    "cos",
    "custom_gradient",
    "equal",
    "exp",
    "fill",
    "float32",
    "floor",
    "gather",
    "int32",
    "keras.Sequential",
    "keras.layers.Dense",
    "keras.optimizers.SGD",
    "keras.utils.set_random_seed",
    "linalg.diag",
    "linalg.matvec",
    "linspace",
    "math.count_nonzero",
    "math.divide_no_nan",
    "math.log",
    "math.reduce_std",
    "math.reduce_variance",
    "matmul",
    "maximum",
    "minimum",
    "nn.log_softmax",
    "nn.relu",
    "nn.sigmoid",
    "nn.sigmoid_cross_entropy_with_logits",
    "nn.softmax",
    "nn.softmax_cross_entropy_with_logits",
    "nn.softplus",
    "nn.sparse_softmax_cross_entropy_with_logits",
    "norm",
    "not_equal",
    "numpy_function",
    "one_hot",
    "ones",
    "ones_like",
    "random.categorical",
    "random.normal",
    "random.set_seed",
    "random.stateless_normal",
    "range",
    "reduce_max",
    "reduce_mean",
    "reduce_sum",
    "reshape",
    "round",
    "sigmoid",
    "sign",
    "sin",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "stop_gradient",
    "strings.as_string",
    "strings.to_number",
    "tanh",
    "unique",
    "unique_with_counts",
    "unstack",
    "where",
    "zeros",
]


@pytest.mark.parametrize("name", SURFACE)
def test_names_used_in_introductory_programs_exist(name: str) -> None:
    found: Any = tf
    for part in name.split("."):
        found = getattr(found, part)
    assert found is not None


@pytest.mark.parametrize("api_module", API_MODULES)
def test_public_api_module_exports_exactly_its_all(api_module: str) -> None:
    module = importlib.import_module(f"minitape.{api_module}")
    assert sorted(set(module.__all__)) == sorted(module.__all__)
    for name in module.__all__:
        assert hasattr(module, name), name


@pytest.mark.parametrize("api_module", ["minitape", *(f"minitape.{name}" for name in API_MODULES)])
def test_every_public_function_has_a_docstring(api_module: str) -> None:
    module = importlib.import_module(api_module)
    silent = [
        name
        for name in module.__all__
        if callable(getattr(module, name)) and not inspect.getdoc(getattr(module, name))
    ]
    assert silent == []


def test_mistyped_name_gets_a_suggestion() -> None:
    with pytest.raises(
        AttributeError,
        match=r"(?s)nor minitape has `tf.reduce_summ`.*`tf\.reduce_sum`\n.*minitape explain MT902",
    ):
        _ = tf.reduce_summ


def test_hasattr_and_getattr_work_for_missing_names() -> None:
    assert not hasattr(tf, "no_such_thing_at_all")
    assert getattr(tf, "__wrapped__", None) is None


def test_infinity_raises_no_warning() -> None:
    """TensorFlow's log(0) is -inf, silently; NumPy would warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minitape\.")
        assert np.isneginf(tf.math.log(0.0).numpy())
        assert np.isnan((tf.constant(0.0) / 0.0).numpy())


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.add([1.0], [2.0]),
        lambda: tf.add(x=[1.0], y=[2.0], name="sum"),
        lambda: tf.constant([1.0]).__add__([2.0]),
        lambda: tf.math.add(np.float32([1.0]), 2),
    ],
)
def test_op_accepts_lists_arrays_and_names(call: Any) -> None:
    result = call()
    assert isinstance(result, tf.Tensor)
    assert result.numpy().tolist() == [3.0]


def test_tf_function_runs_eagerly() -> None:
    calls = []

    @tf.function
    def double(x: Any) -> Any:
        calls.append(x)
        return 2 * x

    @tf.function(reduce_retracing=True)
    def triple(x: Any) -> Any:
        return 3 * x

    assert (double(2), double(3), triple(1)) == (4, 6, 3)
    assert calls == [2, 3]
    assert tf.executing_eagerly()


def test_graph_mode_blocks_have_no_effect() -> None:
    with tf.name_scope("layer") as scope, tf.device("/CPU:0"), tf.init_scope():
        assert scope == "layer/"
        assert float(tf.constant(1.0) + 1.0) == 2.0


def test_print_formats_values_as_tensorflow_does(capsys: pytest.CaptureFixture[str]) -> None:
    """Recorded with TensorFlow 2.21."""
    tf.print(
        "a", tf.constant([1.0, 2.5]), [tf.constant(1), 2], tf.Variable(3.0), {"a": tf.constant(1.5)}
    )
    tf.print(tf.range(20), tf.constant([True]), tf.constant("s"), tf.constant([0.1, 1e10, np.nan]))
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        "a [1 2.5] [1, 2] 3 {'a': 1.5}",
        '[0 1 2 ... 17 18 19] [1] "s" [0.1 1e+10 nan]',
    ]


def test_module_lists_its_own_variables_before_those_of_submodules() -> None:
    """Recorded with TensorFlow 2.21."""

    class Node(tf.Module):
        def __init__(self, **attributes: Any) -> None:
            super().__init__()
            for name, value in attributes.items():
                setattr(self, name, value)

    def v(number: float) -> tf.Variable:
        return tf.Variable(number)

    tree = Node(
        z=v(1.0),
        a=Node(b=Node(v=v(2.0)), w=v(3.0)),
        c=[Node(q=v(4.0)), v(5.0)],
        k={"b": v(6.0), "a": Node(r=v(7.0))},
        s=(v(8.0),),
        B=v(9.0),
    )
    assert [float(each) for each in tree.variables] == [9, 5, 6, 8, 1, 3, 2, 4, 7]


def test_module_finds_variables_in_attributes_lists_and_submodules() -> None:
    class Inner(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.c = tf.Variable(3.0)

    class MyNet(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.z = tf.Variable(1.0)
            self.b = tf.Variable(2.0, trainable=False)
            self.parts = [Inner(), {"x": self.z}]

    net = MyNet()
    assert net.name == "my_net"
    assert tf.Module(name="given").name == "given"
    assert [float(v) for v in net.variables] == [2.0, 1.0, 3.0]
    assert [float(v) for v in net.trainable_variables] == [1.0, 3.0]
    assert [type(each) for each in net.submodules] == [Inner]


def test_old_names_of_initializers_work() -> None:
    weights = tf.random_normal_initializer(stddev=0.5, seed=1)(shape=[200, 200])
    assert abs(float(tf.math.reduce_std(weights)) - 0.5) < 0.02
    assert tf.zeros_initializer()([2]).numpy().tolist() == [0.0, 0.0]
    assert tf.constant_initializer(3.0)([1]).numpy().tolist() == [3.0]
