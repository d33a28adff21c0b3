"""The weights of a model in a file, and back.

    save_weights    all weights, and what the optimizer remembers if the model was compiled
    load_weights    the same into a model that was built by the same code

The file is NumPy's: `numpy.load(path)` opens it anywhere. Its entries are numbered in the order of `model.weights` and carry the
paths of the weights; they are matched by their numbers, for automatic names differ from run to run.

Unlike TensorFlow: no HDF5 (`.h5`) and no `.keras`, which holds Python classes too. A model is made by its code.

Source: https://keras.io/api/models/model_saving_apis/weights_saving_and_loading/
"""

import warnings
from pathlib import Path
from typing import Any

from minitape.core.archive import read_arrays, write_arrays
from minitape.core.arguments import path_given
from minitape.core.values import Array
from minitape.errors import TapeValueError, UnimplementedError

ENDING = ".npz"


def save_weights(model: Any, filepath: Any, overwrite: bool) -> None:
    path = weights_path(filepath)
    if not model.built:
        raise TapeValueError(
            f"Model '{model.name}' has no weights yet.",
            fix="model(x) with a batch of data first: the first call makes the weights",
            code="MT601",
        )
    if path.exists() and not overwrite:
        raise TapeValueError(f"{path} is there already.", fix="overwrite=True, or another name")
    write_arrays(
        path, {**_entries("weights", model.weights), **_entries("optimizer", _state(model))}
    )


def load_weights(model: Any, filepath: Any, skip_mismatch: bool) -> None:
    path = weights_path(filepath)
    stored = read_arrays(path)
    if not model.built or not model.weights:
        raise TapeValueError(
            f"You are loading weights into the model '{model.name}', which has not yet been built.",
            fix="model(x) with a batch of data first: the first call makes the weights",
            code="MT601",
        )
    _fill(model.weights, _group(stored, "weights"), path, skip_mismatch)
    remembered = _group(stored, "optimizer")
    if remembered and model.optimizer is not None:
        model.optimizer.build(model.trainable_variables)
        _fill(_state(model), remembered, path, skip_mismatch)


def _entries(group: str, variables: Any) -> dict[str, Array]:
    return {f"{group}/{i}/{each.path}": each._array for i, each in enumerate(variables)}


def _state(model: Any) -> list[Any]:
    return [] if model.optimizer is None else list(model.optimizer.variables)


def _group(stored: dict[str, Array], group: str) -> list[tuple[str, Array]]:
    """Paths and numbers of one group, in their order."""
    parts = [(name.split("/", 2), array) for name, array in stored.items()]
    ours = [(int(number), path, array) for (kind, number, path), array in parts if kind == group]
    return [(path, array) for _, path, array in sorted(ours, key=lambda each: each[0])]


def _fill(variables: Any, stored: list[tuple[str, Array]], path: Path, skip: bool) -> None:
    """Give all variables their numbers; or none, if one does not fit and none may be skipped."""
    wrong = [
        f"{variable.path} has shape {tuple(variable.shape)}, and {name} of the file {array.shape}"
        for variable, (name, array) in zip(variables, stored, strict=False)
        if tuple(variable.shape) != array.shape
    ]
    if len(variables) != len(stored):
        longer = "the model" if len(variables) > len(stored) else "the file"
        rest = [v.path for v in variables[len(stored) :]] or [
            n for n, _ in stored[len(variables) :]
        ]
        wrong.append(
            f"the model has {len(variables)} weights and the file {len(stored)}; {longer} alone has {', '.join(rest)}"
        )
    if wrong and not skip:
        raise TapeValueError(
            f"The weights of {path} are not those of this model: {'; '.join(wrong)}.",
            fix="the model as it was when they were saved; or skip_mismatch=True, for the weights that fit",
        )
    if wrong:
        warnings.warn(f"Not loaded from {path}: {'; '.join(wrong)}.", stacklevel=4)
    for variable, (_, array) in zip(variables, stored, strict=False):
        if tuple(variable.shape) == array.shape:
            variable.assign(array)


def weights_path(filepath: Any) -> Path:
    """The path of a file of weights.

    Raises:
        ValueError: a name that ends otherwise.
    """
    path = Path(path_given(filepath, "filepath"))
    if path.suffix != ENDING:
        stem = str(path).removesuffix(".h5").removesuffix(".keras").removesuffix(".weights")
        raise TapeValueError(
            f"minitape keeps weights in NumPy's own format, and {str(path)!r} does not end in .npz. HDF5 (.h5) and "
            "Keras's archive (.keras) need packages that it does without.",
            fix=f'"{stem}.weights{ENDING}" in place of "{path}", to save and to load',
            code="MT902",
        )
    return path


def no_whole_models(what: str) -> UnimplementedError:
    """The error for a model in a file, which would be its Python classes, too."""
    return UnimplementedError(
        f"minitape has no {what}: it keeps weights in files, and the code of a model in Python.",
        fix='model.save_weights("model.weights.npz"); later build the model by the same code, call it once, and '
        'model.load_weights("model.weights.npz")',
        code="MT902",
    )
