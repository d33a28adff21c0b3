"""The advice for Keras and for sampled losses, where many names share few reasons.

KERAS   maps each name to the reason why minitape does not have it, and to an imperative that says what to write instead
"""

_PICTURE = (
    "It preprocesses images before training, and no gradient passes through it.",
    "use `dataset.map(function)`, and call functions of `tf.image` in the function",
)
_CATEGORY = (
    "It converts words and categories to numbers before training, and no gradient passes through it.",
    "use a `dict` before the tape opens: `tf.constant([table[word] for word in words])`",
)
_FILES = (
    "minitape does not read files into datasets.",
    "read the files into arrays, then use `tf.data.Dataset.from_tensor_slices((x, y)).batch(n)`",
)
_PILLOW = (
    "Keras reads and writes images with Pillow, which can also be called directly.",
    "read with `numpy.asarray(PIL.Image.open(path))`, and write with `PIL.Image.fromarray(array).save(path)`",
)
_SOUND = (
    "minitape has the audio transforms, but no audio layers.",
    "call `tf.signal.stft(signals, frame_length, frame_step)` in a `tf.keras.layers.Lambda`",
)
_ENGINES = ("Keras needs it because it has several backends. minitape has only one.", "")
_OTHER_LIBRARY = (
    "It wraps computations in another library, which a tape does not record.",
    "",
)
_CONV_LSTM = (
    "minitape has only the recurrent layers for vectors.",
    "use `tf.keras.layers.RNN(cell)` with a custom cell that calls `tf.nn.conv2d`",
)
_REMAT = (
    "In Keras, it is another name for a function that minitape supports.",
    "use `tf.recompute_grad(function)`",
)
_INPUT_SPEC = (
    "A layer checks its input shape in `build`.",
    "define `def build(self, input_shape): ...`, and raise `ValueError` in it for a shape that does not fit",
)
_LOGGING = (
    "It selects where Keras prints. minitape always prints to stdout.",
    "call `model.fit(..., verbose=1)`, or pass `verbose=0` for no output",
)
_SAMPLED = (
    "It reduces the cost of a softmax over many classes by sampling a few. minitape computes the softmax over all classes.",
    "use `tf.nn.sparse_softmax_cross_entropy_with_logits(labels, tf.matmul(x, weights, transpose_b=True) + biases)`",
)
_SAMPLER = (
    "It samples classes for a sampled loss. minitape computes the loss over all classes.",
    "draw a few classes with `tf.random.uniform([n], maxval=classes, dtype=tf.int64)`",
)
_OPTIMIZER = (
    "It is one of Keras's newest optimizers.",
    "use `tf.keras.optimizers.AdamW(learning_rate)`, or write a custom optimizer with `update_step`",
)
_SEVERAL = (
    "No special class is needed to use a different optimizer for each part of a model.",
    "call `one.apply_gradients(...)` for some variables and `other.apply_gradients(...)` for the rest",
)


def _all(namespace: str, names: str, said: tuple[str, str]) -> dict[str, tuple[str, str]]:
    return {f"{namespace}.{name}": said for name in names.split()}


# Functions of `tf.keras.backend`, with the code of functions elsewhere that have the same meaning and the same first arguments.
_BACKEND = {
    "batch_normalization": "tf.nn.batch_normalization",
    "bias_add": "tf.nn.bias_add",
    "categorical_crossentropy": "tf.keras.losses.categorical_crossentropy",
    "conv1d": "tf.nn.conv1d",
    "conv2d": "tf.nn.conv2d",
    "conv2d_transpose": "tf.nn.conv2d_transpose",
    "conv3d": "tf.nn.conv3d",
    "depthwise_conv2d": "tf.nn.depthwise_conv2d",
    "dropout": "tf.nn.dropout",
    "foldl": "tf.foldl",
    "foldr": "tf.foldr",
    "gradients": "tape.gradient(loss, variables)",
    "in_top_k": "tf.nn.in_top_k(targets, predictions, k)",
    "map_fn": "tf.map_fn",
    "name_scope": "tf.name_scope",
    "separable_conv2d": "tf.nn.separable_conv2d",
    "sparse_categorical_crossentropy": "tf.keras.losses.sparse_categorical_crossentropy",
}

KERAS = {
    "tf.keras.backend": ("Keras deprecated its backend functions.", ""),
    **{
        f"tf.keras.backend.{name}": ("Keras deprecated its backend functions.", f"use `{code}`")
        for name, code in _BACKEND.items()
    },
    "tf.keras.dtype_policies": (
        "minitape's layers compute in the dtype of their weights, so it has no mixed-precision policies.",
        'pass `dtype="bfloat16"` to a layer, or call `tf.cast(x, tf.bfloat16)` where bfloat16 is needed',
    ),
    "tf.keras.legacy": ("It is for models that an older version of Keras saved.", ""),
    "tf.keras.preprocessing.image": _PICTURE,
    **_all("tf.keras.preprocessing.image", "array_to_img img_to_array load_img save_img", _PILLOW),
    "tf.keras.preprocessing.text": _CATEGORY,
    "tf.keras.tree": (
        "It is Keras's version of `tf.nest`.",
        "use `tf.nest`, which has `flatten`, `map_structure` and `pack_sequence_as`",
    ),
    "tf.keras.utils.bounding_boxes": _PICTURE,
    "tf.keras.utils.legacy": ("It is for models that an older version of Keras saved.", ""),
    "tf.keras.visualization": (
        "It shows the images of a dataset with matplotlib.",
        "use `matplotlib.pyplot.imshow(image)`",
    ),
    **_all("tf.keras", "Function Operation Quantizer StatelessScope SymbolicScope", _ENGINES),
    **_all("tf.keras", "remat RematScope", _REMAT),
    "tf.keras.InputSpec": _INPUT_SPEC,
    "tf.keras.KerasTensor": (
        "`tf.keras.Input` and calls to layers create symbolic values.",
        "use `tf.keras.Input(shape)`",
    ),
    "tf.keras.Variable": (
        "The weights of a layer are instances of `tf.Variable`.",
        "use `tf.Variable(initial_value)`",
    ),
    "tf.keras.device": (
        "In Keras, it is another name for a function that minitape supports.",
        "use `tf.device(name)`",
    ),
    "tf.keras.name_scope": (
        "In Keras, it is another name for a function that minitape supports.",
        "use `tf.name_scope(name)`",
    ),
    "tf.keras.version": ("minitape has no separate Keras version.", ""),
    "tf.keras.callbacks.BackupAndRestore": (
        "minitape saves only weights, not the epoch.",
        "save with `tf.keras.callbacks.ModelCheckpoint(path, save_weights_only=True)`; to continue, call "
        "`model.load_weights(path)` and `model.fit(..., initial_epoch=n)`",
    ),
    **_all(
        "tf.keras.callbacks",
        "OrbaxCheckpoint RemoteMonitor",
        (
            "It writes data for other programs to disk or sends data over the network.",
            "use `tf.keras.callbacks.LambdaCallback(on_epoch_end=function)`",
        ),
    ),
    "tf.keras.callbacks.SwapEMAWeights": (
        "minitape does not use averaged weights for validation.",
        "call `optimizer.finalize_variable_values(model.trainable_variables)`, then `model.evaluate(x, y)`",
    ),
    **_all("tf.keras.initializers", "STFT STFTInitializer stft", _SOUND),
    **_all(
        "tf.keras.layers",
        "AugMix AutoContrast ContrastLimitedAdaptiveHistogramEqualization CutMix Equalization MaxNumBoundingBoxes "
        "MixUp Pipeline RandAugment RandomBrightness RandomColorDegeneration RandomColorJitter RandomContrast "
        "RandomCrop RandomElasticTransform RandomErasing RandomGaussianBlur RandomGrayscale RandomHeight RandomHue "
        "RandomInvert RandomPerspective RandomPosterization RandomRotation RandomSaturation RandomSharpness "
        "RandomShear RandomTranslation RandomWidth RandomZoom Solarization",
        _PICTURE,
    ),
    **_all(
        "tf.keras.layers",
        "HashedCrossing Hashing IntegerLookup StringLookup TextVectorization",
        _CATEGORY,
    ),
    "tf.keras.layers.CategoryEncoding": (_CATEGORY[0], "use `tf.one_hot(categories, depth)`"),
    "tf.keras.layers.Discretization": (
        _CATEGORY[0],
        'use `tf.searchsorted(boundaries, x, side="right")`',
    ),
    **_all("tf.keras.layers", "ConvLSTM1D ConvLSTM2D ConvLSTM3D", _CONV_LSTM),
    **_all("tf.keras.layers", "FlaxLayer JaxLayer TorchModuleWrapper", _OTHER_LIBRARY),
    **_all("tf.keras.layers", "MelSpectrogram STFTSpectrogram", _SOUND),
    "tf.keras.layers.GroupQueryAttention": (
        "Its heads share keys and values to save memory.",
        "use `tf.keras.layers.MultiHeadAttention(heads, key_dim)`",
    ),
    "tf.keras.layers.InputSpec": _INPUT_SPEC,
    "tf.keras.layers.ReversibleEmbedding": (
        "It is an `Embedding` layer whose rows also compute the output.",
        "use `tf.keras.layers.Embedding(n, d)`, and compute the output with `tf.matmul(x, layer.embeddings, transpose_b=True)`",
    ),
    "tf.keras.layers.SpectralNormalization": (
        "It divides a kernel by its largest singular value, which a constraint can do.",
        "pass `kernel_constraint=lambda w: w / tf.linalg.svd(w, compute_uv=False)[0]` to the layer",
    ),
    "tf.keras.layers.ThresholdedReLU": (
        "Keras keeps it only for older models.",
        "use `tf.keras.layers.Lambda(lambda x: tf.where(x > theta, x, 0.0))`",
    ),
    **_all("tf.keras.optimizers", "Muon ScheduleFreeAdamW", _OPTIMIZER),
    **_all("tf.keras.optimizers", "MultiOptimizer OptimizerMap", _SEVERAL),
    **_all(
        "tf.keras.preprocessing", "image_dataset_from_directory text_dataset_from_directory", _FILES
    ),
    "tf.keras.preprocessing.timeseries_dataset_from_array": (
        "It is one of Keras's utilities.",
        "use `tf.keras.utils.timeseries_dataset_from_array`",
    ),
    "tf.keras.preprocessing.sequence.TimeseriesGenerator": (
        "Keras keeps it only for older programs.",
        "use `tf.keras.utils.timeseries_dataset_from_array`",
    ),
    **_all(
        "tf.keras.preprocessing.sequence",
        "make_sampling_table skipgrams",
        (
            "Keras keeps it only for older programs.",
            "compute the pairs of neighboring words in Python before training",
        ),
    ),
    **_all(
        "tf.keras.utils",
        "audio_dataset_from_directory image_dataset_from_directory text_dataset_from_directory",
        _FILES,
    ),
    **_all("tf.keras.utils", "array_to_img img_to_array load_img save_img", _PILLOW),
    **_all(
        "tf.keras.utils",
        "disable_interactive_logging enable_interactive_logging is_interactive_logging_enabled",
        _LOGGING,
    ),
    "tf.keras.utils.Config": (
        "It is a dict whose entries can be used as attributes.",
        "use `types.SimpleNamespace(a=1)`",
    ),
    "tf.keras.utils.FeatureSpace": _CATEGORY,
    "tf.keras.utils.Progbar": (
        "`fit`, `evaluate` and `predict` draw a progress bar.",
        "use `print(step, float(loss))`, or `rich.progress.track(dataset)` for a progress bar",
    ),
    "tf.keras.utils.get_source_inputs": ("A model stores its inputs.", "use `model.inputs`"),
    "tf.keras.utils.is_keras_tensor": (
        "It checks for a symbolic value, which has a shape but no elements.",
        "use `not tf.is_tensor(x)`",
    ),
    "tf.keras.utils.split_dataset": (
        "A dataset can be split with its methods.",
        "use `dataset.take(n)` and `dataset.skip(n)`",
    ),
    "tf.keras.utils.standardize_dtype": (
        "In Keras, it is another name for a function that minitape supports.",
        "use `tf.as_dtype(dtype).name`",
    ),
    **_all("tf.nn", "nce_loss sampled_softmax_loss", _SAMPLED),
    **_all(
        "tf.nn",
        "all_candidate_sampler compute_accidental_hits fixed_unigram_candidate_sampler learned_unigram_candidate_sampler",
        _SAMPLER,
    ),
    **_all(
        "tf.random",
        "all_candidate_sampler fixed_unigram_candidate_sampler learned_unigram_candidate_sampler "
        "log_uniform_candidate_sampler uniform_candidate_sampler",
        _SAMPLER,
    ),
}
