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
    """A sentence `why` minitape does not have a name, and code `instead` of it that can be pasted unchanged, or an empty
    string."""

    why: str
    instead: str = ""


_SPARSE = Advice(
    "Sparse tensors are out of minitape's scope.",
    "tf.scatter_nd(indices, values, shape), which returns a dense tensor",
)
_RAGGED = Advice(
    "Ragged tensors are out of minitape's scope.",
    "rows padded to one length, with tf.sequence_mask(lengths) to mark the valid elements",
)
_SAVED = Advice(
    "TensorFlow's own file formats for programs are out of minitape's scope.",
    "numpy.savez(path, *[v.numpy() for v in variables]), and v.assign(...) to read them back",
)
_WEIGHTS = Advice(
    "minitape's models save their own weights.",
    'model.save_weights("model.weights.npz"), and model.load_weights("model.weights.npz")',
)
_RECORDS = Advice(
    "TFRecord files are out of minitape's scope.",
    "arrays in a .npz: numpy.savez(path, x=x, y=y), then tf.data.Dataset.from_tensor_slices",
)
_STRATEGY = Advice(
    "minitape computes in one process on one CPU, so it has no distribution strategies.",
    "the training step alone, without strategy.scope() and strategy.run",
)
_GRAPH = Advice(
    "minitape has no graphs, because each op runs when it is called.",
    "the computation in a Python function",
)
_SETS = Advice("With eager tensors, Python's own sets can do this.")
_TESTS = "With eager code, Python's own tools can do this."
_FILES = "With eager code, Python and NumPy can read and write files."
_IMAGES = Advice(
    "Decoding images is outside minitape's scope.",
    "numpy.asarray(PIL.Image.open(path)), which is the same array",
)
_COMPILED = Advice(
    "It is for compiled programs or other machines, which minitape does not support."
)
_KEPT = Advice("It observes or restarts long training runs, which minitape does not need.")
_PICTURES = Advice(
    "The command `minitape graph` draws a model with its gradients.",
    "minitape graph SCRIPT -o model.svg, or model.summary()",
)
_POLICY = Advice(
    "minitape's layers compute in the dtype of their weights, so it has no mixed-precision policies.",
    'dtype="bfloat16" for a layer, or tf.cast(x, tf.bfloat16) where it is needed',
)
_KERNEL = Advice(
    "tf.raw_ops are TensorFlow's kernels; minitape has only their public names.",
    "minitape ops, which lists all ops",
)
_IN_MEMORY = "minitape has only the parts of tf.data that run in memory."

NAMESPACES = {
    "tf.RaggedTensor": _RAGGED,
    "tf.RaggedTensorSpec": _RAGGED,
    "tf.SparseTensor": _SPARSE,
    "tf.SparseTensorSpec": _SPARSE,
    "tf.Graph": _GRAPH,
    "tf.Operation": _GRAPH,
    "tf.audio": Advice(
        "Reading sound files is out of minitape's scope.", "scipy.io.wavfile.read(path)"
    ),
    "tf.autograph": Advice("minitape has no graphs, so Python runs all control flow."),
    "tf.autograph.to_graph": Advice(
        "minitape has no graphs, so Python runs all control flow.", "the function as it is"
    ),
    "tf.autograph.to_code": _GRAPH,
    "tf.compat.v1": Advice(
        "It belongs to TensorFlow 1, and minitape supports only the parts that early eager programs use.",
        "import tensorflow as tf, and the name that TensorFlow 2 has for it",
    ),
    "tf.config": _COMPILED,
    "tf.data.Dataset.bucket_by_sequence_length": Advice(
        _IN_MEMORY, "sort by length, then .padded_batch(n)"
    ),
    "tf.data.Dataset.fingerprint": Advice(_IN_MEMORY),
    "tf.data.Dataset.group_by_window": Advice(
        _IN_MEMORY, "one dataset.filter(...) for each key, then .batch(n)"
    ),
    "tf.data.Dataset.ignore_errors": Advice(
        _IN_MEMORY, ".filter(...) of the elements that can be computed"
    ),
    "tf.data.Dataset.list_files": Advice(
        _IN_MEMORY, "Dataset.from_tensor_slices(sorted(glob.glob(pattern)))"
    ),
    "tf.data.Dataset.load": Advice(_IN_MEMORY, "np.load, then Dataset.from_tensor_slices"),
    "tf.data.Dataset.ragged_batch": Advice(_RAGGED.why, ".padded_batch(n)"),
    "tf.data.Dataset.random": Advice(
        _IN_MEMORY, "Dataset.counter().map(lambda i: tf.random.uniform([]))"
    ),
    "tf.data.Dataset.rejection_resample": Advice(_IN_MEMORY, ".filter(...)"),
    "tf.data.Dataset.save": Advice(
        _IN_MEMORY, "np.savez(path, *next(dataset.batch(n).as_numpy_iterator()))"
    ),
    "tf.data.Dataset.snapshot": Advice(_IN_MEMORY, ".cache(), which keeps the elements in memory"),
    "tf.data.Dataset.sparse_batch": Advice(_SPARSE.why, ".padded_batch(n)"),
    "tf.data.experimental": Advice(_IN_MEMORY),
    "tf.data.FixedLengthRecordDataset": _RECORDS,
    "tf.data.TFRecordDataset": _RECORDS,
    "tf.data.TextLineDataset": Advice(
        _IN_MEMORY,
        "tf.data.Dataset.from_tensor_slices(open(path).read().splitlines())",
    ),
    "tf.debugging.experimental": _KEPT,
    "tf.distribute": _STRATEGY,
    "tf.experimental": Advice("Experimental APIs are out of minitape's scope."),
    "tf.experimental.numpy": Advice(
        "It offers TensorFlow's ops under NumPy's names, but minitape has these ops only under TensorFlow's names.",
        "tf.reduce_sum for sum, tf.concat for concatenate; minitape ops lists all ops",
    ),
    "tf.experimental.dtensor": _STRATEGY,
    "tf.experimental.tensorrt": _COMPILED,
    "tf.feature_column": Advice(
        "Feature columns are out of minitape's scope; TensorFlow advises against them too.",
        "arrays: numpy.stack(columns, axis=1), and tf.one_hot for categories",
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
    "tf.io.decode_base64": Advice(_FILES, "base64.urlsafe_b64decode(text)"),
    "tf.io.decode_bmp": _IMAGES,
    "tf.io.decode_compressed": Advice(_FILES, "zlib.decompress(data), or gzip.decompress(data)"),
    "tf.io.decode_csv": Advice(_FILES, 'numpy.genfromtxt(path, delimiter=",")'),
    "tf.io.decode_gif": _IMAGES,
    "tf.io.decode_image": _IMAGES,
    "tf.io.decode_jpeg": _IMAGES,
    "tf.io.decode_json_example": _RECORDS,
    "tf.io.decode_png": _IMAGES,
    "tf.io.decode_proto": _RECORDS,
    "tf.io.decode_raw": Advice(_FILES, "numpy.frombuffer(data, dtype)"),
    "tf.io.encode_base64": Advice(_FILES, "base64.urlsafe_b64encode(data)"),
    "tf.io.gfile": Advice(_FILES, "pathlib.Path(path), or open(path)"),
    "tf.io.matching_files": Advice(_FILES, "sorted(glob.glob(pattern))"),
    "tf.io.parse_example": _RECORDS,
    "tf.io.parse_sequence_example": _RECORDS,
    "tf.io.parse_single_example": _RECORDS,
    "tf.io.parse_single_sequence_example": _RECORDS,
    "tf.io.parse_tensor": Advice(_FILES, "numpy.load(path)"),
    "tf.io.read_file": Advice(_FILES, 'tf.constant(open(path, "rb").read())'),
    "tf.io.serialize_tensor": Advice(_FILES, "numpy.save(path, x.numpy())"),
    "tf.io.write_file": Advice(_FILES, "pathlib.Path(path).write_bytes(contents.numpy())"),
    "tf.keras.applications": Advice(
        "Its networks need large files of weights, which minitape does not read.",
        "a small tf.keras.Sequential of Conv2D layers",
    ),
    "tf.keras.config": Advice("It selects one of several options, but minitape has only one."),
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
        "keras.ops wraps the ops of several backends under Keras's names; minitape has only one backend.",
        "the op of tf: tf.reduce_sum for keras.ops.sum, tf.matmul for keras.ops.matmul",
    ),
    "tf.keras.optimizers.LossScaleOptimizer": Advice(
        "It keeps small float16 gradients from becoming 0 by means of a factor that it adapts automatically.",
        "tf.keras.optimizers.Adam(loss_scale_factor=1024.0), and optimizer.scale_loss(loss) inside the tape",
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
        "a dict, before the tape: tf.constant([table[word] for word in words])",
    ),
    "tf.mlir": _COMPILED,
    "tf.profiler": _KEPT,
    "tf.quantization": _COMPILED,
    "tf.python": Advice("It is private code of TensorFlow.", "the public name under tf"),
    "tf.queue": Advice("It feeds graphs.", "collections.deque, or tf.data.Dataset"),
    "tf.ragged": _RAGGED,
    "tf.random.experimental": Advice(
        "minitape has the global generator, tf.random.Generator and the stateless functions."
    ),
    "tf.raw_ops": _KERNEL,
    "tf.saved_model": _SAVED,
    "tf.sets": _SETS,
    "tf.sets.difference": Advice(_SETS.why, "set(a.numpy()) - set(b.numpy())"),
    "tf.sets.intersection": Advice(_SETS.why, "set(a.numpy()) & set(b.numpy())"),
    "tf.sets.size": Advice(_SETS.why, "len(set(a.numpy()))"),
    "tf.sets.union": Advice(_SETS.why, "set(a.numpy()) | set(b.numpy())"),
    "tf.sparse": _SPARSE,
    "tf.summary": Advice("TensorBoard's files are out of minitape's scope."),
    "tf.strings": Advice(
        "minitape has only a few of the string functions.",
        "[text.decode() for text in x.numpy()], and the methods of Python's strings",
    ),
    "tf.sysconfig": _COMPILED,
    "tf.test": Advice(_TESTS),
    "tf.test.TestCase": Advice(_TESTS, "unittest.TestCase, with numpy.testing.assert_allclose"),
    "tf.test.get_temp_dir": Advice(_TESTS, "tempfile.mkdtemp()"),
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

_LAYERS = "tf.keras.layers"
_AT_ONCE = "nothing: each op runs immediately, and y.numpy() is its value"
_EAGER = "nothing; remove the line, because TensorFlow 2 runs eagerly from the start"
_NO_GRAPH = "nothing: remove the line, because graphs do not exist"
_HAS_VALUE = "nothing: remove the line, because a tf.Variable has its value from the start"
_CONFIG = "nothing: remove it; tf.config has the settings of TensorFlow 2"
_IN_V2 = "the program for TensorFlow 2: tf.GradientTape in place of tf.gradients"
MIGRATION = "the program for TensorFlow 2, see https://www.tensorflow.org/guide/migrate"

VERSION_1 = {
    "tf.ConfigProto": _CONFIG,
    "tf.GPUOptions": _CONFIG,
    "tf.InteractiveSession": _AT_ONCE,
    "tf.Print": "tf.print(x)",
    "tf.Session": _AT_ONCE,
    "tf.AUTO_REUSE": "a tf.Variable that is created once and used again",
    "tf.app": 'if __name__ == "__main__": main()',
    "tf.assign": "v.assign(value)",
    "tf.assign_add": "v.assign_add(value)",
    "tf.assign_sub": "v.assign_sub(value)",
    "tf.contrib": "its name in TensorFlow 2, see https://www.tensorflow.org/guide/migrate",
    "tf.contrib.eager": "tf itself: tfe.Variable is tf.Variable, tfe.gradients_function is tf.GradientTape",
    "tf.contrib.layers": _LAYERS,
    "tf.contrib.rnn": _LAYERS,
    "tf.disable_eager_execution": _IN_V2,
    "tf.disable_v2_behavior": _IN_V2,
    "tf.enable_eager_execution": _EAGER,
    "tf.enable_v2_behavior": _EAGER,
    "tf.examples": "tf.keras.datasets.mnist.load_data()",
    "tf.flags": "argparse, or constants at the top",
    "tf.get_default_graph": _NO_GRAPH,
    "tf.get_default_session": _AT_ONCE,
    "tf.get_variable": "tf.Variable(initial_value, name=name)",
    "tf.global_variables": "model.variables, or a list of your variables",
    "tf.global_variables_initializer": _HAS_VALUE,
    "tf.initialize_all_variables": _HAS_VALUE,
    "tf.initialize_local_variables": _HAS_VALUE,
    "tf.initialize_variables": _HAS_VALUE,
    "tf.initializers.global_variables": _HAS_VALUE,
    "tf.initializers.local_variables": _HAS_VALUE,
    "tf.initializers.variables": _HAS_VALUE,
    "tf.layers": _LAYERS,
    "tf.local_variables_initializer": _HAS_VALUE,
    "tf.logging": "logging.getLogger(), or tf.get_logger()",
    "tf.mul": "tf.multiply(x, y), or x * y",
    "tf.neg": "tf.negative(x), or -x",
    "tf.nn.dynamic_rnn": "tf.keras.layers.RNN(cell), or tf.keras.layers.LSTM(units)",
    "tf.nn.rnn_cell": "tf.keras.layers.LSTMCell, GRUCell and SimpleRNNCell",
    "tf.nn.static_rnn": "tf.keras.layers.RNN(cell), or tf.keras.layers.LSTM(units)",
    "tf.pack": "tf.stack(values)",
    "tf.placeholder": "an argument of a function; or tf.keras.Input(shape)",
    "tf.placeholder_with_default": "an argument of a function, with its default",
    "tf.py_func": "tf.numpy_function(func, inp, Tout), or tf.py_function if a gradient is needed",
    "tf.batch_matmul": "tf.matmul(x, y)",
    "tf.random.set_random_seed": "tf.random.set_seed(seed)",
    "tf.reset_default_graph": _NO_GRAPH,
    "tf.set_random_seed": "tf.random.set_seed(seed)",
    "tf.sub": "tf.subtract(x, y), or x - y",
    "tf.to_double": "tf.cast(x, tf.float64)",
    "tf.to_float": "tf.cast(x, tf.float32)",
    "tf.to_int32": "tf.cast(x, tf.int32)",
    "tf.to_int64": "tf.cast(x, tf.int64)",
    "tf.train.AdagradOptimizer": "tf.keras.optimizers.Adagrad(learning_rate)",
    "tf.train.RMSPropOptimizer": "tf.keras.optimizers.RMSprop(learning_rate)",
    "tf.train.AdamOptimizer": "tf.keras.optimizers.Adam(learning_rate)",
    "tf.train.GradientDescentOptimizer": "tf.keras.optimizers.SGD(learning_rate)",
    "tf.train.MomentumOptimizer": "tf.keras.optimizers.SGD(learning_rate, momentum)",
    "tf.train.Saver": "tf.train.Checkpoint(model=model)",
    "tf.train.Optimizer": "tf.keras.Optimizer",
    "tf.variables_initializer": _HAS_VALUE,
    "tf.trainable_variables": "model.trainable_variables, or tape.watched_variables()",
    "tf.unpack": "tf.unstack(value)",
    "tf.variable_scope": "tf.name_scope(name); or a tf.Module that holds its variables",
    "tf.data.Dataset.make_initializable_iterator": "for batch in dataset: ...",
    "tf.data.Dataset.make_one_shot_iterator": "for batch in dataset: ...",
    "tf.keras.Model.evaluate_generator": "model.evaluate(dataset)",
    "tf.keras.Model.fit_generator": "model.fit(dataset)",
    "tf.keras.Model.predict_classes": "tf.argmax(model(x), axis=-1)",
    "tf.keras.Model.predict_generator": "model.predict(dataset)",
    "tf.keras.Model.predict_proba": "model.predict(x)",
    "tf.keras.Optimizer.get_gradients": "tape.gradient(loss, variables)",
    "tf.keras.Optimizer.minimize": "optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))",
    "tf.Tensor.eval": "x.numpy()",
    "tf.Variable.eval": "v.numpy()",
    "tf.Variable.load": "v.assign(value)",
}


REMOVED = {
    "tf.estimator": Advice("TensorFlow 2.16 removed estimators.", "a tf.keras.Model"),
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
# Complete calls, for names where another name alone would mislead. An empty string means that minitape has no function with that
# meaning, even if one has a similar name.
OTHER_LIBRARIES = {
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
    "hstack": "tf.concat(values, axis=1), or axis=0 for vectors",
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
    "vstack": "tf.concat(values, axis=0), or tf.stack(values) for vectors",
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
