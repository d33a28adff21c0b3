"""Saving and loading the weights of a model.

    save_weights    all weights, and the state of the optimizer if the model was compiled
    load_weights    loads the same values into a model that the same code created

The file has the format of `numpy.savez`, so `numpy.load(path)` can read it. Its entries are numbered in the order of
`model.weights` and contain the paths of the weights. Entries are matched to weights by these numbers, because automatic
names differ between runs.

Unlike TensorFlow, minitape does not support HDF5 (`.h5`), nor `.keras`, which also contains Python classes. A model must be
created by its code.

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
    """Write the weights of a model to a file.

    Args:
        model: The model.
        filepath: Path that ends in .npz.
        overwrite: Whether an existing file may be replaced.

    Raises:
        ValueError: the model has no weights, or the file exists.
    """
    path = weights_path(filepath)
    if not model.built:
        raise TapeValueError(
            f"Model '{model.name}' has no weights yet.",
            fix="call `model(x)` with a batch of data first, because the first call creates the weights",
            code="MT601",
        )
    if path.exists() and not overwrite:
        raise TapeValueError(
            f"The file {path} already exists.", fix="pass `overwrite=True`, or use another name"
        )
    write_arrays(
        path, {**_entries("weights", model.weights), **_entries("optimizer", _state(model))}
    )


def load_weights(model: Any, filepath: Any, skip_mismatch: bool) -> None:
    """Read the weights of a model from a file.

    Args:
        model: The model.
        filepath: Path that ends in .npz.
        skip_mismatch: Whether to load the weights that match, with a warning about the others.

    Raises:
        ValueError: the model has no weights, or the weights do not match.
    """
    path = weights_path(filepath)
    stored = read_arrays(path)
    if not model.built or not model.weights:
        raise TapeValueError(
            f"You are loading weights into the model '{model.name}', which has not yet been built.",
            fix="call `model(x)` with a batch of data first, because the first call creates the weights",
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
    """Return the paths and arrays of one group, in order."""
    parts = [(name.split("/", 2), array) for name, array in stored.items()]
    ours = [(int(number), path, array) for (kind, number, path), array in parts if kind == group]
    return [(path, array) for _, path, array in sorted(ours, key=lambda each: each[0])]


def _fill(variables: Any, stored: list[tuple[str, Array]], path: Path, skip: bool) -> None:
    """Assign all arrays to the variables; if an array does not match and `skip` is False, assign none of them."""
    wrong = [
        f"{variable.path} has shape {tuple(variable.shape)}, but {name} in the file has shape {array.shape}"
        for variable, (name, array) in zip(variables, stored, strict=False)
        if tuple(variable.shape) != array.shape
    ]
    if len(variables) != len(stored):
        longer = "the model" if len(variables) > len(stored) else "the file"
        rest = [v.path for v in variables[len(stored) :]] or [
            n for n, _ in stored[len(variables) :]
        ]
        wrong.append(
            f"the model has {len(variables)} weights, but the file has {len(stored)} weights; only {longer} has {', '.join(rest)}"
        )
    if wrong and not skip:
        raise TapeValueError(
            f"The weights in {path} do not match this model: {'; '.join(wrong)}.",
            fix="create the model as it was when the weights were saved, or pass `skip_mismatch=True` to load only the weights "
            "that match",
        )
    if wrong:
        warnings.warn(
            f"Some weights were not loaded from {path}: {'; '.join(wrong)}.", stacklevel=4
        )
    for variable, (_, array) in zip(variables, stored, strict=False):
        if tuple(variable.shape) == array.shape:
            variable.assign(array)


def weights_path(filepath: Any) -> Path:
    """Check the path of a file of weights.

    Args:
        filepath: The path.

    Returns:
        The path.

    Raises:
        ValueError: it does not end in .npz.
    """
    path = Path(path_given(filepath, "filepath"))
    if path.suffix != ENDING:
        stem = str(path).removesuffix(".h5").removesuffix(".keras").removesuffix(".weights")
        raise TapeValueError(
            f"minitape saves weights in NumPy's format, but {str(path)!r} does not end with `.npz`. HDF5 (`.h5`) and Keras's "
            "archive (`.keras`) are not supported, because they require additional packages.",
            fix=f'use `"{stem}.weights{ENDING}"` instead of `"{path}"`, for saving and for loading',
            code="MT902",
        )
    return path


def no_whole_models(what: str) -> UnimplementedError:
    """Return the error for saving or loading a whole model, which would include its Python classes.

    Args:
        what: Name of the method.

    Returns:
        An UnimplementedError.
    """
    return UnimplementedError(
        f"`{what}` is not supported, because minitape saves only the weights of a model, not its code.",
        fix='call `model.save_weights("model.weights.npz")`; to restore, create the model with the same code, call the model '
        'once, and call `model.load_weights("model.weights.npz")`',
        code="MT902",
    )
