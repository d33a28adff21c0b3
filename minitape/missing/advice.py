"""Why names of TensorFlow are not here, and what to write instead: by room, and for those that programs ask for most.

ROOMS      all that stands under a name, unless a longer one here says otherwise
VERSION_1  of TensorFlow 1, where the recorded table does not know what came after
"""

from typing import NamedTuple

from minitape.missing.keras_advice import KERAS


class Advice(NamedTuple):
    """`why` it is not here, in a sentence; `instead` can be written down as it is, or is empty."""

    why: str
    instead: str = ""


_SPARSE = Advice(
    "Sparse tensors are out of minitape's scope.",
    "tf.scatter_nd(indices, values, shape), which gives a dense tensor",
)
_RAGGED = Advice(
    "Ragged tensors are out of minitape's scope.",
    "rows padded to one length, and tf.sequence_mask(lengths) for which elements count",
)
_SAVED = Advice(
    "TensorFlow's own file formats for programs are out of minitape's scope.",
    "numpy.savez(path, *[v.numpy() for v in variables]), and v.assign(...) to read them back",
)
_RECORDS = Advice(
    "TFRecord files are out of minitape's scope.",
    "arrays in a .npz: numpy.savez(path, x=x, y=y), then tf.data.Dataset.from_tensor_slices",
)
_STRATEGY = Advice(
    "minitape computes in one process on one CPU: it will have no strategies.",
    "the training step by itself, without strategy.scope() and strategy.run",
)
_GRAPH = Advice(
    "minitape has no graphs: each op runs when it is called.",
    "the computation by itself, in a function",
)
_COMPILED = Advice("It serves compiled programs or other machines, and minitape has neither.")
_KEPT = Advice(
    "It keeps a training running or looks at it from outside; minitape will not have it."
)
_PICTURES = Advice(
    "Pictures of a model are drawn by the command, with the gradients in them.",
    "minitape graph SCRIPT -o model.svg, or model.summary()",
)
_POLICY = Advice(
    "minitape's layers compute in the dtype of their weights; policies of two dtypes save time on other machines.",
    'dtype="bfloat16" for a layer, or tf.cast(x, tf.bfloat16) where it is wanted',
)
_KERNEL = Advice(
    "tf.raw_ops are TensorFlow's kernels; minitape has only their public names.",
    "minitape ops, which lists what is there",
)
_IN_MEMORY = "Of tf.data minitape has what runs in memory."

ROOMS = {
    "tf.RaggedTensor": _RAGGED,
    "tf.RaggedTensorSpec": _RAGGED,
    "tf.SparseTensor": _SPARSE,
    "tf.SparseTensorSpec": _SPARSE,
    "tf.Graph": _GRAPH,
    "tf.Operation": _GRAPH,
    "tf.audio": Advice(
        "Reading sound files is out of minitape's scope.", "scipy.io.wavfile.read(path)"
    ),
    "tf.autograph": Advice(
        "minitape has no graphs, so Python's control flow stays Python's.", "the function as it is"
    ),
    "tf.autograph.to_code": _GRAPH,
    "tf.compat.v1": Advice(
        "It is of TensorFlow 1; minitape has what the early programs with eager gradients use.",
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
    "tf.dtensor": _STRATEGY,
    "tf.estimator": Advice("Estimators left TensorFlow with 2.16.", "a tf.keras.Model"),
    "tf.experimental.numpy": Advice(
        "It gives NumPy's names to TensorFlow's ops; minitape will not have them twice.",
        "tf.reduce_sum for sum, tf.concat for concatenate ...: minitape ops lists what is there",
    ),
    "tf.experimental.dtensor": _STRATEGY,
    "tf.experimental.tensorrt": _COMPILED,
    "tf.feature_column": Advice(
        "Feature columns are out of minitape's scope; TensorFlow advises against them too.",
        "arrays: numpy.stack(columns, axis=1), and tf.one_hot for categories",
    ),
    "tf.graph_util": _GRAPH,
    "tf.io": Advice(
        "Reading and writing files is Python's and NumPy's here.",
        "numpy.load(path), or open(path, 'rb').read()",
    ),
    "tf.io.TFRecordOptions": _RECORDS,
    "tf.io.TFRecordWriter": _RECORDS,
    "tf.io.gfile": Advice("Files are Python's here.", "pathlib.Path(path), or open(path)"),
    "tf.io.parse_example": _RECORDS,
    "tf.io.parse_single_example": _RECORDS,
    "tf.io.decode_image": Advice(
        "Decoding pictures is out of minitape's scope.",
        "numpy.asarray(PIL.Image.open(path)), which is the same array",
    ),
    "tf.io.decode_jpeg": Advice(
        "Decoding pictures is out of minitape's scope.",
        "numpy.asarray(PIL.Image.open(path)), which is the same array",
    ),
    "tf.io.decode_png": Advice(
        "Decoding pictures is out of minitape's scope.",
        "numpy.asarray(PIL.Image.open(path)), which is the same array",
    ),
    "tf.keras.applications": Advice(
        "Its networks come with large files of weights, which minitape does not read.",
        "a small tf.keras.Sequential of Conv2D layers",
    ),
    "tf.keras.config": Advice("It sets up what minitape has only one kind of."),
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
        "keras.ops gives Keras's names to ops of several engines; here there is one.",
        "the op of tf: tf.reduce_sum for keras.ops.sum, tf.matmul for keras.ops.matmul",
    ),
    "tf.keras.optimizers.LossScaleOptimizer": Advice(
        "It keeps the small gradients of float16 from becoming 0, by a factor that it looks for itself.",
        "tf.keras.optimizers.Adam(loss_scale_factor=1024.0), and optimizer.scale_loss(loss) inside the tape",
    ),
    "tf.keras.quantizers": _COMPILED,
    "tf.keras.saving": _SAVED,
    "tf.keras.utils.model_to_dot": _PICTURES,
    "tf.keras.utils.plot_model": _PICTURES,
    "tf.keras.wrappers": Advice("Wrapping models for scikit-learn is out of minitape's scope."),
    "tf.keras.Model.export": _SAVED,
    "tf.keras.Model.save": _SAVED,
    "tf.lite": _COMPILED,
    "tf.lookup": Advice(
        "Lookup tables are out of minitape's scope: no gradient goes through one.",
        "a dict, before the tape: tf.constant([table[word] for word in words])",
    ),
    "tf.mlir": _COMPILED,
    "tf.profiler": _KEPT,
    "tf.quantization": _COMPILED,
    "tf.python": Advice(
        "What stands under tensorflow.python is TensorFlow's inside, and no promise of its own.",
        "the public name under tf",
    ),
    "tf.queue": Advice("It feeds graphs.", "collections.deque, or tf.data.Dataset"),
    "tf.ragged": _RAGGED,
    "tf.random.experimental": Advice(
        "minitape has the global generator and the stateless functions.",
        "tf.random.set_seed(seed) with tf.random.normal, or tf.random.stateless_normal(shape, seed)",
    ),
    "tf.raw_ops": _KERNEL,
    "tf.saved_model": _SAVED,
    "tf.sets": Advice("Sets are Python's here.", "set(a.numpy()) & set(b.numpy())"),
    "tf.sparse": _SPARSE,
    "tf.summary": Advice("TensorBoard's files are out of minitape's scope."),
    "tf.sysconfig": _COMPILED,
    "tf.test": Advice(
        "Tests are Python's here.", "unittest.TestCase, with numpy.testing.assert_allclose"
    ),
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
_AT_ONCE = "nothing: each op runs at once, and y.numpy() is its value"
_LEAVE = "nothing: leave the line away, TensorFlow 2 runs eagerly from the start"

VERSION_1 = {
    "tf.ConfigProto": "nothing: leave it away; tf.config sets what TensorFlow 2 lets one set",
    "tf.GPUOptions": "nothing: leave it away; tf.config sets what TensorFlow 2 lets one set",
    "tf.InteractiveSession": _AT_ONCE,
    "tf.Print": "tf.print(x)",
    "tf.Session": _AT_ONCE,
    "tf.AUTO_REUSE": "a tf.Variable that is made once, and used again",
    "tf.app": 'if __name__ == "__main__": main()',
    "tf.assign": "v.assign(value)",
    "tf.assign_add": "v.assign_add(value)",
    "tf.assign_sub": "v.assign_sub(value)",
    "tf.contrib": "the name that TensorFlow 2 has for it: contrib left with TensorFlow 1",
    "tf.contrib.eager": "tf itself: tfe.Variable is tf.Variable, tfe.gradients_function is tf.GradientTape",
    "tf.contrib.layers": _LAYERS,
    "tf.contrib.rnn": _LAYERS,
    "tf.disable_eager_execution": "the program for TensorFlow 2: tf.GradientTape in place of tf.gradients",
    "tf.disable_v2_behavior": "the program for TensorFlow 2: tf.GradientTape in place of tf.gradients",
    "tf.enable_eager_execution": _LEAVE,
    "tf.enable_v2_behavior": _LEAVE,
    "tf.examples": "tf.keras.datasets.mnist.load_data()",
    "tf.flags": "argparse, or constants at the top",
    "tf.get_default_graph": "nothing: there is no graph",
    "tf.get_default_session": _AT_ONCE,
    "tf.get_variable": "tf.Variable(initial_value, name=name)",
    "tf.global_variables": "model.variables, or a list of the variables that were made",
    "tf.global_variables_initializer": "nothing: a tf.Variable has its value from the start",
    "tf.initialize_all_variables": "nothing: a tf.Variable has its value from the start",
    "tf.initializers.global_variables": "nothing: a tf.Variable has its value from the start",
    "tf.layers": _LAYERS,
    "tf.local_variables_initializer": "nothing: a tf.Variable has its value from the start",
    "tf.logging": "logging.getLogger(), or tf.get_logger()",
    "tf.mul": "tf.multiply(x, y), or x * y",
    "tf.neg": "tf.negative(x), or -x",
    "tf.nn.dynamic_rnn": "tf.keras.layers.RNN(cell), or tf.keras.layers.LSTM(units)",
    "tf.nn.rnn_cell": "tf.keras.layers.LSTMCell, GRUCell and SimpleRNNCell",
    "tf.nn.static_rnn": "tf.keras.layers.RNN(cell), or tf.keras.layers.LSTM(units)",
    "tf.pack": "tf.stack(values)",
    "tf.placeholder": "an argument of a function; or tf.keras.Input(shape)",
    "tf.placeholder_with_default": "an argument of a function, with its default",
    "tf.py_func": "tf.numpy_function(func, inp, Tout), or tf.py_function where a gradient is wanted",
    "tf.reset_default_graph": "nothing: there is no graph",
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


def of_room(name: str) -> Advice | None:
    """What holds for a name, or else for the room that it stands in."""
    while name:
        if name in ROOMS:
            return ROOMS[name]
        name = name.rpartition(".")[0]
    return None


def of_version_1(name: str) -> str:
    """What to write for a name of TensorFlow 1; empty if that is not known."""
    while name:
        if name in VERSION_1:
            return VERSION_1[name]
        name = name.rpartition(".")[0]
    return ""
