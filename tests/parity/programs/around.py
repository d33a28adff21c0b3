"""What programs say around the tape: devices, settings, order, assertions, TensorFlow 1's names."""

import contextlib
from typing import Any

from programs.case import table


def gradient_through_settings_devices_and_dependencies(tf: Any, np: Any) -> Any:
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    x = tf.Variable([1.0, 2.0])
    with tf.device("/CPU:0"), tf.GradientTape() as outer:
        with tf.GradientTape() as inner, tf.control_dependencies([x.read_value()]):
            y = tf.reduce_sum(x**3)
        slope = inner.gradient(y, x)
    return slope, outer.gradient(slope, x)


def a_device_of_the_list_is_a_device(tf: Any, np: Any) -> Any:
    with tf.device(tf.config.list_logical_devices("CPU")[0]):
        return tf.constant(1.0) + 1.0


def what_is_set_is_read_back(tf: Any, np: Any) -> Any:
    read = []
    for enabled in (True, False):
        tf.config.run_functions_eagerly(enabled)
        read.append(tf.config.functions_run_eagerly())
        tf.config.set_soft_device_placement(not enabled)
        read.append(tf.config.get_soft_device_placement())
        tf.config.optimizer.set_jit(enabled)
        read.append(tf.config.optimizer.get_jit())
    return read


def steps(tf: Any, make: Any) -> Any:
    w, b = tf.Variable([1.0, -2.0]), tf.Variable(0.5)
    optimizer = make(tf.compat.v1.train)
    global_step = tf.Variable(0, dtype=tf.int64)
    for _ in range(3):
        optimizer.minimize(lambda: tf.reduce_sum(w * w * w) + b * b, global_step, [w, b])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.gather(w, [1, 1])) + 0.0 * b
    optimizer.apply_gradients(zip(tape.gradient(loss, [w, b]), [w, b]))
    optimizer.apply_gradients([(None, w), (tf.constant(2.0), b)], global_step=global_step)
    return w.numpy(), b.numpy(), global_step.numpy()


def old_dropout_is_told_what_stays(tf: Any, np: Any) -> Any:
    kept = tf.compat.v1.nn.dropout(tf.ones([4]), keep_prob=1.0)
    return kept, tf.compat.v1.nn.dropout(tf.ones([4]), rate=0.0)


def old_cross_entropy_leaves_the_labels_alone(tf: Any, np: Any) -> Any:
    labels, logits = tf.Variable([[0.25, 0.75]]), tf.Variable([[1.0, 2.0]])
    found = []
    for name in ("softmax_cross_entropy_with_logits", "softmax_cross_entropy_with_logits_v2"):
        with tf.GradientTape() as tape:
            loss = getattr(tf.compat.v1.nn, name)(labels=labels, logits=logits)
        found.append((loss, tape.gradient(loss, [labels, logits])))
    return found


def an_old_name_is_the_same_function(tf: Any, np: Any) -> Any:
    x = tf.Variable([1.0, 4.0])
    with tf.GradientTape() as tape:
        y = tf.compat.v1.log(x) + tf.compat.v1.rsqrt(x) + tf.compat.v1.lgamma(x)
    return y, tape.gradient(y, x)


def dependencies_are_called(tf: Any, np: Any) -> Any:
    called: list[int] = []
    with contextlib.suppress(ImportError), tf.control_dependencies([lambda: called.append(1)]):
        pass
    return called


def the_cpu_cannot_be_hidden(tf: Any, np: Any) -> Any:
    tf.constant(1.0)
    tf.config.set_visible_devices([], "CPU")


TABLE = table(
    {
        "physical devices": lambda tf, np: [
            (each.name, each.device_type) for each in tf.config.list_physical_devices()
        ],
        "logical devices": lambda tf, np: [
            (each.name, each.device_type) for each in tf.config.list_logical_devices()
        ],
        "devices of an unknown kind": lambda tf, np: tf.config.list_physical_devices("nobody"),
        "visible devices": lambda tf, np: len(tf.config.get_visible_devices()),
        "hiding the GPUs": lambda tf, np: tf.config.set_visible_devices([], "GPU"),
        "showing a stranger": lambda tf, np: tf.config.set_visible_devices(["x"]),
        "growth of the CPU": lambda tf, np: tf.config.experimental.set_memory_growth(
            tf.config.list_physical_devices()[0], True
        ),
        "growth of a stranger": lambda tf, np: tf.config.experimental.set_memory_growth(
            "GPU:0", True
        ),
        "memory of the CPU": lambda tf, np: tf.config.experimental.get_memory_info("CPU:0"),
        "division of the CPU": lambda tf, np: tf.config.get_logical_device_configuration(
            tf.config.list_physical_devices()[0]
        ),
        "details of the CPU": lambda tf, np: tf.config.experimental.get_device_details(
            tf.config.list_physical_devices()[0]
        ),
        "threads": lambda tf, np: tf.config.threading.get_inter_op_parallelism_threads(),
        "options": lambda tf, np: tf.config.optimizer.get_experimental_options(),
        "is there a GPU": lambda tf, np: (tf.test.is_gpu_available(), tf.test.gpu_device_name()),
        "built with": lambda tf, np: (
            tf.test.is_built_with_cuda(),
            tf.test.is_built_with_rocm(),
            tf.test.is_built_with_gpu_support(),
        ),
        "version": lambda tf, np: tf.version.VERSION,
        "version of Keras": lambda tf, np: tf.keras.__version__,
        "verbosity of autograph": lambda tf, np: tf.autograph.set_verbosity(0),
        "do not convert": lambda tf, np: tf.autograph.experimental.do_not_convert(abs)(-3),
        "do not convert, as a decorator": lambda tf, np: tf.autograph.experimental.do_not_convert()(
            abs
        )(-3),
        "no_op": lambda tf, np: tf.no_op(),
        "group": lambda tf, np: tf.group(tf.constant(1), name="both"),
        "dependencies of nothing": lambda tf, np: tf.control_dependencies(None).__enter__(),
        "dependencies of a number": lambda tf, np: tf.control_dependencies(5),
        "as_text": lambda tf, np: (
            tf.compat.as_text(b"a"),
            tf.compat.as_bytes("a"),
            tf.compat.as_str_any(3),
        ),
        "as_text of a number": lambda tf, np: tf.compat.as_text(3),
        "enable_eager_execution": lambda tf, np: tf.compat.v1.enable_eager_execution(),
        "old verbosity": lambda tf, np: (
            tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR),
            tf.compat.v1.logging.get_verbosity(),
        ),
        "old descent": lambda tf, np: steps(tf, lambda train: train.GradientDescentOptimizer(0.1)),
        "old momentum": lambda tf, np: steps(tf, lambda train: train.MomentumOptimizer(0.1, 0.9)),
        "old Nesterov": lambda tf, np: steps(
            tf, lambda train: train.MomentumOptimizer(0.1, 0.9, use_nesterov=True)
        ),
        "old Adam": lambda tf, np: steps(tf, lambda train: train.AdamOptimizer(0.1)),
        "old optimizer, of a value": lambda tf, np: tf.compat.v1.train.AdamOptimizer().minimize(
            tf.constant(1.0)
        ),
        "old optimizer, no gradients": lambda tf, np: (
            tf.compat.v1.train.AdamOptimizer().apply_gradients([(None, tf.Variable(1.0))])
        ),
        "old optimizer, its name": lambda tf, np: tf.compat.v1.train.AdamOptimizer().get_name(),
        **{
            f"device {name!r}": lambda tf, np, name=name: tf.device(name).__enter__()
            for name in (
                "cpu",
                "/gpu:0",
                "",
                None,
                "/job:localhost/replica:0/task:0/device:CPU:0",
                "garbage",
                "/foo:0",
                "CPU:x",
                "/device:CPU",
                5,
                "/tpu:0",
                "/GPU:*",
            )
        },
        **{
            f"debugging {text}": lambda tf, np, text=text: eval(text, {"tf": tf, "d": tf.debugging})
            for text in (
                "d.assert_rank(tf.zeros([2, 3]), 2)",
                "d.assert_rank(tf.zeros([2, 3]), 1)",
                "d.assert_rank([1.0], [1])",
                "d.assert_rank([1.0], 1.5)",
                "d.assert_rank_at_least(tf.zeros([2, 3]), 1)",
                "d.assert_rank_at_least(tf.zeros([2, 3]), 3)",
                "d.assert_rank_in(tf.zeros([2, 3]), [1, 2])",
                "d.assert_rank_in(tf.zeros([2, 3]), [1])",
                "d.assert_scalar(1.0)",
                "d.assert_scalar([1.0])",
                "d.assert_type(tf.constant(1.0), tf.float32)",
                "d.assert_type(tf.constant(1.0), tf.int32)",
                "d.assert_integer(1)",
                "d.assert_integer(1.0)",
                "d.assert_shapes([(tf.zeros([2, 3]), ('N', 3)), (tf.zeros([2]), ('N',))])",
                "d.assert_shapes([(tf.zeros([2, 3]), ('N', 3)), (tf.zeros([4]), ('N',))])",
                "d.assert_shapes([(tf.zeros([2, 3]), (2,))])",
                "d.assert_shapes([(tf.zeros([]), (1,))])",
                "d.assert_shapes([(tf.zeros([2, 3]), ('N', 'N'))])",
                "d.assert_shapes([(tf.zeros([2, 3]), (None, 3)), (tf.zeros([2, 3]), '.3')])",
                "d.assert_shapes([(tf.zeros([2, 3]), ('*', 3)), (tf.zeros([3]), (..., 3))])",
                "d.assert_shapes([(tf.zeros([2, 3]), ('*', 4))])",
                "d.assert_shapes({'x': 1})",
                "d.assert_proper_iterable([1])",
                "d.assert_proper_iterable(tf.constant([1]))",
                "d.assert_proper_iterable(3)",
                "d.is_numeric_tensor(tf.constant(1)), d.is_numeric_tensor(tf.constant(True))",
                "d.is_numeric_tensor(tf.Variable(1.0)), d.is_numeric_tensor(3)",
                "d.assert_same_float_dtype([tf.constant(1.0), tf.constant(2.0)]).name",
                "d.assert_same_float_dtype([tf.constant(1.0), tf.constant(2.0, tf.float64)])",
                "d.assert_same_float_dtype([tf.constant(1)])",
                "d.assert_same_float_dtype().name",
                "d.Assert(True, [1])",
                "d.Assert(False, [1, tf.constant([2, 3])])",
                "d.Assert(tf.constant([True, False]), [1])",
                "d.Assert(False, 3)",
            )
        },
    }
)
