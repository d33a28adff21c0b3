"""Explains why minitape does not support some names of TensorFlow, and what to write instead.

NAMESPACES       advice for a name, or for a module and everything in it; the longest name that fits is used
VERSION_1        names of TensorFlow 1 whose replacement the recorded table does not know
REMOVED          names that TensorFlow itself no longer has
REFUSED          functions that minitape defines only to raise an error with advice
OTHER_LIBRARIES  names of NumPy, PyTorch and JAX that people write after `tf.`

tests/unsupported/proposals.tsv lists every name and the proposal for it; a person has reviewed this list.
"""

from typing import NamedTuple

from minitape.unsupported.keras_advice import KERAS


class Advice(NamedTuple):
    """A sentence `why` minitape does not have a name, and an imperative that says what to write `instead`, or an empty string.

    The imperative starts with a lower-case verb and has no period; code in it is in backticks and can be pasted unchanged.
    """

    why: str
    instead: str = ""


_SPARSE = Advice(
    "Sparse tensors are out of minitape's scope.",
    "use `tf.scatter_nd(indices, values, shape)`, which returns a dense tensor",
)
_RAGGED = Advice(
    "Ragged tensors are out of minitape's scope.",
    "pad the rows to the same length, and mark the valid elements with `tf.sequence_mask(lengths)`",
)
_SAVED = Advice(
    "TensorFlow's own file formats for programs are out of minitape's scope.",
    "save with `numpy.savez(path, *[v.numpy() for v in variables])`; to restore, read the file with `numpy.load(path)` and call "
    "`v.assign(...)` for each array",
)
_WEIGHTS = Advice(
    "minitape's models save their own weights.",
    'save with `model.save_weights("model.weights.npz")`, and restore with `model.load_weights("model.weights.npz")`',
)
_RECORDS = Advice(
    "TFRecord files are out of minitape's scope.",
    "save the arrays with `numpy.savez(path, x=x, y=y)`, and pass the loaded arrays to `tf.data.Dataset.from_tensor_slices`",
)
_STRATEGY = Advice(
    "minitape computes in one process on one CPU, so it has no distribution strategies.",
    "call the training step directly, without `strategy.scope()` and `strategy.run`",
)
_GRAPH = Advice(
    "minitape has no graphs, because each op runs when it is called.",
    "write the computation as a Python function",
)
_SETS = Advice("With eager tensors, Python's built-in sets can do this.")
_TESTS = "With eager code, Python's standard test tools can do this."
_FILES = "With eager code, Python and NumPy can read and write files."
_IMAGES = Advice(
    "Decoding images is outside minitape's scope.",
    "use `numpy.asarray(PIL.Image.open(path))`, which returns the same array",
)
_COMPILED = Advice("It is for compiled programs or other devices, which minitape does not support.")
_KEPT = Advice("It monitors or restarts long training runs, which minitape is not made for.")
_PICTURES = Advice(
    "The command `minitape graph` draws a model with its gradients.",
    "run `minitape graph SCRIPT -o model.svg`, or call `model.summary()`",
)
_POLICY = Advice(
    "minitape's layers compute in the dtype of their weights, so it has no mixed-precision policies.",
    'pass `dtype="bfloat16"` to a layer, or call `tf.cast(x, tf.bfloat16)` where bfloat16 is needed',
)
_KERNEL = Advice(
    "`tf.raw_ops` contains TensorFlow's kernels. minitape has only the public functions that call them.",
    "run `minitape ops` to list all ops",
)
_IN_MEMORY = "minitape implements only the part of `tf.data` that runs in memory."

NAMESPACES = {
    "tf.RaggedTensor": _RAGGED,
    "tf.RaggedTensorSpec": _RAGGED,
    "tf.SparseTensor": _SPARSE,
    "tf.SparseTensorSpec": _SPARSE,
    "tf.Graph": _GRAPH,
    "tf.Operation": _GRAPH,
    "tf.audio": Advice(
        "Reading sound files is out of minitape's scope.", "use `scipy.io.wavfile.read(path)`"
    ),
    "tf.autograph": Advice("minitape has no graphs, so Python runs all control flow."),
    "tf.autograph.to_graph": Advice(
        "minitape has no graphs, so Python runs all control flow.", "call the function unchanged"
    ),
    "tf.autograph.to_code": _GRAPH,
    "tf.compat.v1": Advice(
        "It belongs to TensorFlow 1. minitape supports only the parts that early eager programs use.",
        "write `import tensorflow as tf`, and use the TensorFlow 2 name",
    ),
    "tf.config": _COMPILED,
    "tf.data.Dataset.bucket_by_sequence_length": Advice(
        _IN_MEMORY, "sort the elements by length, then call `dataset.padded_batch(n)`"
    ),
    "tf.data.Dataset.fingerprint": Advice(_IN_MEMORY),
    "tf.data.Dataset.group_by_window": Advice(
        _IN_MEMORY, "call `dataset.filter(...).batch(n)` once for each key"
    ),
    "tf.data.Dataset.ignore_errors": Advice(
        _IN_MEMORY, "keep only the elements that can be computed: `dataset.filter(...)`"
    ),
    "tf.data.Dataset.list_files": Advice(
        _IN_MEMORY, "use `tf.data.Dataset.from_tensor_slices(sorted(glob.glob(pattern)))`"
    ),
    "tf.data.Dataset.load": Advice(
        _IN_MEMORY,
        "read the arrays with `numpy.load(path)`, and pass them to `tf.data.Dataset.from_tensor_slices`",
    ),
    "tf.data.Dataset.ragged_batch": Advice(_RAGGED.why, "use `dataset.padded_batch(n)`"),
    "tf.data.Dataset.random": Advice(
        _IN_MEMORY, "use `tf.data.Dataset.counter().map(lambda i: tf.random.uniform([]))`"
    ),
    "tf.data.Dataset.rejection_resample": Advice(_IN_MEMORY, "use `dataset.filter(...)`"),
    "tf.data.Dataset.save": Advice(
        _IN_MEMORY,
        "save the arrays with `numpy.savez(path, *next(dataset.batch(n).as_numpy_iterator()))`",
    ),
    "tf.data.Dataset.snapshot": Advice(
        _IN_MEMORY, "use `dataset.cache()`, which keeps the elements in memory"
    ),
    "tf.data.Dataset.sparse_batch": Advice(_SPARSE.why, "use `dataset.padded_batch(n)`"),
    "tf.data.experimental": Advice(_IN_MEMORY),
    "tf.data.FixedLengthRecordDataset": _RECORDS,
    "tf.data.TFRecordDataset": _RECORDS,
    "tf.data.TextLineDataset": Advice(
        _IN_MEMORY,
        "use `tf.data.Dataset.from_tensor_slices(open(path).read().splitlines())`",
    ),
    "tf.debugging.experimental": _KEPT,
    "tf.distribute": _STRATEGY,
    "tf.experimental": Advice("Experimental APIs are out of minitape's scope."),
    "tf.experimental.numpy": Advice(
        "It offers TensorFlow's ops under NumPy's names, but minitape has these ops only under TensorFlow's names.",
        "use the TensorFlow name, such as `tf.reduce_sum` for `sum`; run `minitape ops` to list all ops",
    ),
    "tf.experimental.dtensor": _STRATEGY,
    "tf.experimental.tensorrt": _COMPILED,
    "tf.feature_column": Advice(
        "Feature columns are out of minitape's scope. TensorFlow's documentation advises against them too.",
        "combine the columns with `numpy.stack(columns, axis=1)`, and encode categories with `tf.one_hot`",
    ),
    "tf.graph_util": _GRAPH,
    "tf.io": Advice(_FILES),
    "tf.io.FixedLenFeature": _RECORDS,
    "tf.io.FixedLenSequenceFeature": _RECORDS,
    "tf.io.RaggedFeature": _RECORDS,
    "tf.io.SparseFeature": _RECORDS,
    "tf.io.TFRecordOptions": _RECORDS,
    "tf.io.TFRecordWriter": _RECORDS,
    "tf.io.VarLenFeature": _RECORDS,
    "tf.io.decode_and_crop_jpeg": _IMAGES,
    "tf.io.decode_base64": Advice(_FILES, "use `base64.urlsafe_b64decode(text)`"),
    "tf.io.decode_bmp": _IMAGES,
    "tf.io.decode_compressed": Advice(
        _FILES, "use `zlib.decompress(data)` or `gzip.decompress(data)`"
    ),
    "tf.io.decode_csv": Advice(_FILES, 'use `numpy.genfromtxt(path, delimiter=",")`'),
    "tf.io.decode_gif": _IMAGES,
    "tf.io.decode_image": _IMAGES,
    "tf.io.decode_jpeg": _IMAGES,
    "tf.io.decode_json_example": _RECORDS,
    "tf.io.decode_png": _IMAGES,
    "tf.io.decode_proto": _RECORDS,
    "tf.io.decode_raw": Advice(_FILES, "use `numpy.frombuffer(data, dtype)`"),
    "tf.io.encode_base64": Advice(_FILES, "use `base64.urlsafe_b64encode(data)`"),
    "tf.io.gfile": Advice(_FILES, "use `pathlib.Path(path)` or `open(path)`"),
    "tf.io.matching_files": Advice(_FILES, "use `sorted(glob.glob(pattern))`"),
    "tf.io.parse_example": _RECORDS,
    "tf.io.parse_sequence_example": _RECORDS,
    "tf.io.parse_single_example": _RECORDS,
    "tf.io.parse_single_sequence_example": _RECORDS,
    "tf.io.parse_tensor": Advice(_FILES, "use `numpy.load(path)`"),
    "tf.io.read_file": Advice(_FILES, 'use `tf.constant(open(path, "rb").read())`'),
    "tf.io.serialize_tensor": Advice(_FILES, "use `numpy.save(path, x.numpy())`"),
    "tf.io.write_file": Advice(_FILES, "use `pathlib.Path(path).write_bytes(contents.numpy())`"),
    "tf.keras.applications": Advice(
        "Its networks need large weight files, which minitape does not read.",
        "build a small `tf.keras.Sequential` model with `Conv2D` layers",
    ),
    "tf.keras.config": Advice("It selects one of several options, and minitape has only one."),
    "tf.keras.distillation": _KEPT,
    "tf.keras.distribution": _STRATEGY,
    "tf.keras.export": _SAVED,
    "tf.keras.layers.TFSMLayer": _SAVED,
    "tf.keras.mixed_precision": _POLICY,
    "tf.keras.DTypePolicy": _POLICY,
    "tf.keras.FloatDTypePolicy": _POLICY,
    "tf.keras.config.dtype_policy": _POLICY,
    "tf.keras.config.set_dtype_policy": _POLICY,
    "tf.keras.models.model_from_json": _SAVED,
    "tf.keras.models.save_model": _SAVED,
    "tf.keras.ops": Advice(
        "`keras.ops` makes the ops of several backends available under the same names. minitape has only one backend.",
        "use the op in `tf`, such as `tf.reduce_sum` for `keras.ops.sum`, or `tf.matmul` for `keras.ops.matmul`",
    ),
    "tf.keras.optimizers.LossScaleOptimizer": Advice(
        "It multiplies the loss by a factor that it adapts automatically, which keeps small float16 gradients from becoming 0.",
        "use `tf.keras.optimizers.Adam(loss_scale_factor=1024.0)`, and call `optimizer.scale_loss(loss)` inside the tape",
    ),
    "tf.keras.quantizers": _COMPILED,
    "tf.keras.saving": _SAVED,
    "tf.keras.saving.load_weights": _WEIGHTS,
    "tf.keras.saving.save_weights": _WEIGHTS,
    "tf.keras.utils.model_to_dot": _PICTURES,
    "tf.keras.utils.plot_model": _PICTURES,
    "tf.keras.wrappers": Advice("Wrapping models for scikit-learn is out of minitape's scope."),
    "tf.keras.Model.export": _SAVED,
    "tf.keras.Model.save": _SAVED,
    "tf.lite": _COMPILED,
    "tf.lookup": Advice(
        "Lookup tables are out of minitape's scope, because no gradient passes through them.",
        "use a `dict` before the tape opens: `tf.constant([table[word] for word in words])`",
    ),
    "tf.mlir": _COMPILED,
    "tf.profiler": _KEPT,
    "tf.quantization": _COMPILED,
    "tf.python": Advice("It is private code in TensorFlow.", "use the public name in `tf`"),
    "tf.queue": Advice(
        "It feeds values into graphs, which minitape does not have.",
        "use `collections.deque` or `tf.data.Dataset`",
    ),
    "tf.ragged": _RAGGED,
    "tf.random.experimental": Advice(
        "minitape has only the global generator, `tf.random.Generator` and the stateless functions."
    ),
    "tf.raw_ops": _KERNEL,
    "tf.saved_model": _SAVED,
    "tf.sets": _SETS,
    "tf.sets.difference": Advice(_SETS.why, "use `set(a.numpy()) - set(b.numpy())`"),
    "tf.sets.intersection": Advice(_SETS.why, "use `set(a.numpy()) & set(b.numpy())`"),
    "tf.sets.size": Advice(_SETS.why, "use `len(set(a.numpy()))`"),
    "tf.sets.union": Advice(_SETS.why, "use `set(a.numpy()) | set(b.numpy())`"),
    "tf.sparse": _SPARSE,
    "tf.summary": Advice("TensorBoard log files are out of minitape's scope."),
    "tf.strings": Advice(
        "minitape has only a few of the string functions.",
        "convert with `[text.decode() for text in x.numpy()]`, and use the methods of Python's strings",
    ),
    "tf.sysconfig": _COMPILED,
    "tf.test": Advice(_TESTS),
    "tf.test.TestCase": Advice(
        _TESTS, "use `unittest.TestCase` with `numpy.testing.assert_allclose`"
    ),
    "tf.test.get_temp_dir": Advice(_TESTS, "use `tempfile.mkdtemp()`"),
    "tf.tpu": _COMPILED,
    "tf.train.BytesList": _RECORDS,
    "tf.train.Example": _RECORDS,
    "tf.train.Feature": _RECORDS,
    "tf.train.Features": _RECORDS,
    "tf.train.FloatList": _RECORDS,
    "tf.train.Int64List": _RECORDS,
    "tf.train.SequenceExample": _RECORDS,
    "tf.types": _COMPILED,
    "tf.xla": _COMPILED,
    "tf.Tensor.graph": _GRAPH,
    "tf.Tensor.op": _GRAPH,
    **{name: Advice(*said) for name, said in KERAS.items()},
}

_LAYERS = "use the layers in `tf.keras.layers`"
_AT_ONCE = "remove the session: each op runs immediately, and `y.numpy()` returns the value of `y`"
_EAGER = "remove the line: TensorFlow 2 always runs eagerly"
_NO_GRAPH = "remove the line: minitape runs every op immediately, without a graph of TensorFlow"
_HAS_VALUE = "remove the line: a `tf.Variable` gets its value when it is created"
_CONFIG = "remove it, and use the settings in `tf.config`"
_IN_V2 = (
    "use the TensorFlow 2 version of the program, with `tf.GradientTape` instead of `tf.gradients`"
)
MIGRATION = "migrate the program to TensorFlow 2: https://www.tensorflow.org/guide/migrate"

VERSION_1 = {
    "tf.ConfigProto": _CONFIG,
    "tf.GPUOptions": _CONFIG,
    "tf.InteractiveSession": _AT_ONCE,
    "tf.Print": "use `tf.print(x)`",
    "tf.Session": _AT_ONCE,
    "tf.AUTO_REUSE": "create a `tf.Variable` once, and use it again",
    "tf.app": 'write `if __name__ == "__main__": main()`',
    "tf.assign": "use `v.assign(value)`",
    "tf.assign_add": "use `v.assign_add(value)`",
    "tf.assign_sub": "use `v.assign_sub(value)`",
    "tf.contrib": "use the TensorFlow 2 name, which is listed at https://www.tensorflow.org/guide/migrate",
    "tf.contrib.eager": "use `tf.Variable` for `tfe.Variable`, and `tf.GradientTape` for `tfe.gradients_function`",
    "tf.contrib.layers": _LAYERS,
    "tf.contrib.rnn": _LAYERS,
    "tf.disable_eager_execution": _IN_V2,
    "tf.disable_v2_behavior": _IN_V2,
    "tf.enable_eager_execution": _EAGER,
    "tf.enable_v2_behavior": _EAGER,
    "tf.examples": "use `tf.keras.datasets.mnist.load_data()`",
    "tf.flags": "use `argparse`, or constants at the top of the file",
    "tf.get_default_graph": _NO_GRAPH,
    "tf.get_default_session": _AT_ONCE,
    "tf.get_variable": "use `tf.Variable(initial_value, name=name)`",
    "tf.global_variables": "use `model.variables`, or a list of your variables",
    "tf.global_variables_initializer": _HAS_VALUE,
    "tf.initialize_all_variables": _HAS_VALUE,
    "tf.initialize_local_variables": _HAS_VALUE,
    "tf.initialize_variables": _HAS_VALUE,
    "tf.initializers.global_variables": _HAS_VALUE,
    "tf.initializers.local_variables": _HAS_VALUE,
    "tf.initializers.variables": _HAS_VALUE,
    "tf.layers": _LAYERS,
    "tf.local_variables_initializer": _HAS_VALUE,
    "tf.logging": "use `logging.getLogger()` or `tf.get_logger()`",
    "tf.mul": "use `tf.multiply(x, y)` or `x * y`",
    "tf.neg": "use `tf.negative(x)` or `-x`",
    "tf.nn.dynamic_rnn": "use `tf.keras.layers.RNN(cell)` or `tf.keras.layers.LSTM(units)`",
    "tf.nn.rnn_cell": "use `tf.keras.layers.LSTMCell`, `tf.keras.layers.GRUCell` or `tf.keras.layers.SimpleRNNCell`",
    "tf.nn.static_rnn": "use `tf.keras.layers.RNN(cell)` or `tf.keras.layers.LSTM(units)`",
    "tf.pack": "use `tf.stack(values)`",
    "tf.placeholder": "pass the value as an argument of a function; in a Keras model, use `tf.keras.Input(shape)`",
    "tf.placeholder_with_default": "pass the value as an argument of a function, with a default value",
    "tf.py_func": "use `tf.numpy_function(func, inp, Tout)`, or `tf.py_function` if a gradient is needed",
    "tf.batch_matmul": "use `tf.matmul(x, y)`",
    "tf.random.set_random_seed": "use `tf.random.set_seed(seed)`",
    "tf.reset_default_graph": _NO_GRAPH,
    "tf.set_random_seed": "use `tf.random.set_seed(seed)`",
    "tf.sub": "use `tf.subtract(x, y)` or `x - y`",
    "tf.to_double": "use `tf.cast(x, tf.float64)`",
    "tf.to_float": "use `tf.cast(x, tf.float32)`",
    "tf.to_int32": "use `tf.cast(x, tf.int32)`",
    "tf.to_int64": "use `tf.cast(x, tf.int64)`",
    "tf.train.AdagradOptimizer": "use `tf.keras.optimizers.Adagrad(learning_rate)`",
    "tf.train.RMSPropOptimizer": "use `tf.keras.optimizers.RMSprop(learning_rate)`",
    "tf.train.AdamOptimizer": "use `tf.keras.optimizers.Adam(learning_rate)`",
    "tf.train.GradientDescentOptimizer": "use `tf.keras.optimizers.SGD(learning_rate)`",
    "tf.train.MomentumOptimizer": "use `tf.keras.optimizers.SGD(learning_rate, momentum)`",
    "tf.train.Saver": "use `tf.train.Checkpoint(model=model)`",
    "tf.train.Optimizer": "use `tf.keras.Optimizer`",
    "tf.variables_initializer": _HAS_VALUE,
    "tf.trainable_variables": "use `model.trainable_variables` or `tape.watched_variables()`",
    "tf.unpack": "use `tf.unstack(value)`",
    "tf.variable_scope": "use `tf.name_scope(name)`, or a `tf.Module` that stores its variables",
    "tf.data.Dataset.make_initializable_iterator": "write `for batch in dataset: ...`",
    "tf.data.Dataset.make_one_shot_iterator": "write `for batch in dataset: ...`",
    "tf.keras.Model.evaluate_generator": "use `model.evaluate(dataset)`",
    "tf.keras.Model.fit_generator": "use `model.fit(dataset)`",
    "tf.keras.Model.predict_classes": "use `tf.argmax(model(x), axis=-1)`",
    "tf.keras.Model.predict_generator": "use `model.predict(dataset)`",
    "tf.keras.Model.predict_proba": "use `model.predict(x)`",
    "tf.keras.Optimizer.get_gradients": "use `tape.gradient(loss, variables)`",
    "tf.keras.Optimizer.minimize": "use `optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))`",
    "tf.Tensor.eval": "use `x.numpy()`",
    "tf.Variable.eval": "use `v.numpy()`",
    "tf.Variable.load": "use `v.assign(value)`",
}


REMOVED = {
    "tf.estimator": Advice("TensorFlow 2.16 removed estimators.", "use `tf.keras.Model`"),
}

# For functions that exist only to raise an error: the class of the error.
REFUSED = {
    "tf.keras.Model.export": "UnimplementedError",
    "tf.keras.Model.save": "UnimplementedError",
    "tf.keras.Model.to_json": "UnimplementedError",
    "tf.keras.models.load_model": "UnimplementedError",
}

# Folders of TensorFlow's and Keras's packages whose code is not public.
_PRIVATE = ("tf.compiler", "tf.core", "tf.keras.src", "tf.lite.python", "tf.python", "tf.tools")

MATH_MODULES = ("tf", "tf.linalg", "tf.math", "tf.nn", "tf.random")
# Code only: a complete call where a name alone would mislead. An empty string means that minitape has no function with that
# meaning, even if one has a similar name.
_EQUIVALENTS = {
    "absolute": "tf.abs",
    "all": "tf.reduce_all",
    "allclose": "tf.reduce_all(tf.abs(x - y) <= 1e-8 + 1e-5 * tf.abs(y))",
    "amax": "tf.reduce_max",
    "amin": "tf.reduce_min",
    "any": "tf.reduce_any",
    "arange": "tf.range",
    "arccos": "tf.acos",
    "arccosh": "tf.acosh",
    "arcsin": "tf.asin",
    "arcsinh": "tf.asinh",
    "arctan": "tf.atan",
    "arctan2": "tf.atan2",
    "arctanh": "tf.atanh",
    "array": "tf.constant",
    "array_equal": "tf.reduce_all(x == y)",
    "asarray": "tf.convert_to_tensor",
    "astype": "tf.cast",
    "average": "tf.reduce_mean",
    "beta": "",
    "bmm": "tf.matmul",
    "atleast_1d": "",
    "batch_norm": "",
    "cat": "tf.concat",
    "cdouble": "tf.complex128",
    "clamp": "tf.clip_by_value",
    "clip": "tf.clip_by_value",
    "concatenate": "tf.concat",
    "cond": "",
    "copy": "tf.identity",
    "cosine_similarity": "tf.reduce_sum(tf.nn.l2_normalize(x, -1) * tf.nn.l2_normalize(y, -1), -1)",
    "cov": "",
    "cross_entropy": "",
    "det": "tf.linalg.det",
    "diag": "tf.linalg.diag",
    "diagonal": "tf.linalg.diag_part",
    "dot": "tf.tensordot(x, y, axes=1)",
    "dsplit": "tf.split(x, n, axis=2)",
    "emath": "",
    "exp2": "2.0 ** x",
    "expand_dim": "tf.expand_dims",
    "flatten": "tf.reshape(x, [-1])",
    "flip": "tf.reverse",
    "fliplr": "tf.reverse(x, axis=[1])",
    "flipud": "tf.reverse(x, axis=[0])",
    "float": "tf.float32",
    "fmod": "",
    "from_numpy": "tf.convert_to_tensor",
    "full": "tf.fill",
    "full_like": "tf.fill(tf.shape(x), value)",
    "gamma": "",
    "gradient": "",
    "histogram": "",
    "hsplit": "tf.split(x, n, axis=1)",
    "inf": 'float("inf")',
    "inner": "tf.tensordot(x, y, axes=[[-1], [-1]])",
    "int": "tf.int32",
    "intc": "",
    "intp": "",
    "inv": "tf.linalg.inv",
    "isfinite": "tf.math.is_finite",
    "isinf": "tf.math.is_inf",
    "isin": "",
    "isnan": "tf.math.is_nan",
    "l1_loss": "tf.reduce_mean(tf.abs(x - y))",
    "layer_norm": "",
    "len": "",
    "linear": "",
    "log10": "tf.math.log(x) / math.log(10)",
    "log2": "tf.math.log(x) / math.log(2)",
    "logaddexp": "tf.reduce_logsumexp([x, y], axis=0)",
    "logsumexp": "tf.reduce_logsumexp",
    "long": "tf.int64",
    "lrelu": "tf.nn.leaky_relu",
    "max": "tf.reduce_max",
    "mean": "tf.reduce_mean",
    "min": "tf.reduce_min",
    "mm": "tf.matmul",
    "mod": "tf.math.floormod",
    "mode": "",
    "modf": "",
    "mse_loss": "tf.reduce_mean((x - y) ** 2)",
    "nan": 'float("nan")',
    "ndim": "tf.rank",
    "no_grad": "tape.stop_recording()",
    "outer": "tf.tensordot(x, y, axes=0)",
    "permute": "tf.transpose(x, perm)",
    "power": "tf.pow",
    "prod": "tf.reduce_prod",
    "rand": "tf.random.uniform",
    "randint": "tf.random.uniform(shape, minval, maxval, tf.int32)",
    "randn": "tf.random.normal",
    "randperm": "tf.random.shuffle(tf.range(n))",
    "ranf": "",
    "ravel": "tf.reshape(x, [-1])",
    "remainder": "tf.math.floormod",
    "repeat_elements": "tf.repeat",
    "resize": "",
    "short": "tf.int16",
    "sinc": "",
    "std": "tf.math.reduce_std",
    "sum": "tf.reduce_sum",
    "swapaxes": "tf.transpose(x, perm)",
    "take": "tf.gather",
    "tensor": "tf.constant",
    "topk": "tf.math.top_k",
    "trace": "tf.linalg.trace",
    "true_divide": "tf.divide",
    "uint": "",
    "uintc": "",
    "uintp": "",
    "unsqueeze": "tf.expand_dims",
    "var": "tf.math.reduce_variance",
    "vsplit": "tf.split(x, n, axis=0)",
}
OTHER_LIBRARIES = {
    **{name: code and f"use `{code}`" for name, code in _EQUIVALENTS.items()},
    "hstack": "use `tf.concat(values, axis=1)`, or `axis=0` for vectors",
    "vstack": "use `tf.concat(values, axis=0)`, or `tf.stack(values)` for vectors",
}


def is_private(name: str) -> bool:
    """Return whether the name is in a folder of TensorFlow's package that is not public."""
    return f"{name}.".startswith(tuple(f"{each}." for each in _PRIVATE))


def of_namespace(name: str) -> Advice | None:
    """Return the advice for a name; if there is none, return that for the module that contains it."""
    while name:
        if name in NAMESPACES:
            return NAMESPACES[name]
        name = name.rpartition(".")[0]
    return None


def of_version_1(name: str) -> str:
    """Return what to write instead of a TensorFlow 1 name; empty if that is not known."""
    while name:
        if name in VERSION_1:
            return VERSION_1[name]
        name = name.rpartition(".")[0]
    return ""
