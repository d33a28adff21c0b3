"""`Checkpoint`, which saves all variables of some objects in a file, and restores them.

    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, step=step)
    path = checkpoint.save("folder/ckpt")       # folder/ckpt-1.npz
    checkpoint.restore(path)

Source: https://www.tensorflow.org/api_docs/python/tf/train/Checkpoint
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.archive import read_arrays, write_arrays
from minitape.core.eager import get_logger
from minitape.core.values import Array
from minitape.core.variable import Variable
from minitape.errors import InvalidArgumentError, NotFoundError, TapeAssertionError, TapeValueError
from minitape.train.state import file_of, record_latest
from minitape.train.tracked_variables import is_holder, variables_by_name

_COUNTER = "save_counter"


class Checkpoint:
    """Save and restore the variables of objects.

    Unlike TensorFlow, minitape does not defer restoring variables that a layer has not created yet, so call a model once
    before `restore`. If the file contains arrays that no object uses, a log message lists them, unless `expect_partial` or
    an assertion was called.

    Args:
        root: An object whose attributes are saved under their own names.
        **kwargs: Objects by name, which are variables, modules, layers, models, optimizers, or lists and dicts of such
            objects.

    Raises:
        ValueError: an object, such as an iterator, has no variables.

    Source: https://www.tensorflow.org/api_docs/python/tf/train/Checkpoint
    """

    save_counter: Variable

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        for name, thing in kwargs.items():
            if not is_holder(thing):
                raise TapeValueError(
                    f"`Checkpoint` was expecting {name} to be a trackable object, with variables. It is a "
                    f"{type(thing).__name__}.",
                    fix=f"`{name}=tf.Variable(...)` for a number; remove iterators of data",
                )
            setattr(self, name, thing)
        self._root = root

    @property
    def variables(self) -> list[Variable]:
        """Return all variables that the checkpoint saves."""
        return list(self._variables().values())

    def _variables(self) -> dict[str, Variable]:
        """Return the variables in a dict, by their names in the file."""
        own = {name: thing for name, thing in vars(self).items() if name != "_root"}
        root = {} if self._root is None else _parts_of(self._root)
        return variables_by_name({**root, **own})

    # --- saving ---

    def save(self, file_prefix: Any, options: Any = None) -> str:
        """Write a numbered checkpoint, and record it as the latest checkpoint of its directory.

        Args:
            file_prefix: Directory and name, to which `save` appends a number: "-1", "-2" ...
            options: Must be None.

        Returns:
            The path without `.npz`, which `restore` accepts.

        Source: https://www.tensorflow.org/api_docs/python/tf/train/Checkpoint#save
        """
        self._make_counter().assign_add(1)
        path = self.write(f"{os.fspath(file_prefix)}-{int(self.save_counter._array)}", options)
        record_latest(Path(path))
        return path

    def write(self, file_prefix: Any, options: Any = None) -> str:
        """Write a checkpoint with exactly the given name, without recording it as the latest.

        Args:
            file_prefix: Path of the file without `.npz`.
            options: Must be None.

        Returns:
            The path without `.npz`, which `read` accepts.

        Source: https://www.tensorflow.org/api_docs/python/tf/train/Checkpoint#write
        """
        _refuse(options)
        path: str = os.fspath(file_prefix)
        write_arrays(file_of(path), {name: each._array for name, each in self._variables().items()})
        return path

    def _make_counter(self) -> Variable:
        if _COUNTER not in vars(self):
            self.save_counter = Variable(0, trainable=False, name=_COUNTER, dtype=dtypes.int64)
        return self.save_counter

    def __getattr__(self, name: str) -> Any:
        if name == _COUNTER:
            return self._make_counter()  # created on first use
        raise AttributeError(name)

    # --- restoring ---

    def restore(self, save_path: Any, options: Any = None) -> "LoadStatus":
        """Restore all variables from a checkpoint that `save` wrote; None restores nothing.

        Args:
            save_path: The result of `save` or of `tf.train.latest_checkpoint`.
            options: Must be None.

        Returns:
            A `LoadStatus`, whose methods check what was restored.

        Raises:
            NotFoundError: the checkpoint does not exist.
            ValueError: the shape of a variable differs from its shape in the checkpoint.
            InvalidArgumentError: the dtype of a variable differs from its dtype in the checkpoint.

        Source: https://www.tensorflow.org/api_docs/python/tf/train/Checkpoint#restore
        """
        _refuse(options)
        self._make_counter()
        return LoadStatus({}, {}, None) if save_path is None else self.read(save_path)

    def read(self, save_path: Any, options: Any = None) -> "LoadStatus":
        """Restore all variables from a checkpoint that `write` wrote.

        Args:
            save_path: The result of `write`.
            options: Must be None.

        Returns:
            A `LoadStatus`, whose methods check what was restored.

        Raises:
            NotFoundError: the checkpoint does not exist.
            ValueError: the shape of a variable differs from its shape in the checkpoint.
            InvalidArgumentError: the dtype of a variable differs from its dtype in the checkpoint.

        Source: https://www.tensorflow.org/api_docs/python/tf/train/Checkpoint#read
        """
        _refuse(options)
        stored = stored_at(os.fspath(save_path))
        variables = self._variables()
        both = [name for name in variables if name in stored]
        for name in both:  # check all variables before changing the first one
            _check(name, variables[name], stored[name])
        for name in both:
            variables[name].assign(stored[name])
        return LoadStatus(variables, stored, os.fspath(save_path))


class LoadStatus:
    """The result of `restore`, which records the variables and arrays that matched.

    Args:
        variables: The variables of the objects, by name.
        stored: The arrays in the file, by name.
        path: Path of the checkpoint; None if nothing was restored.
    """

    def __init__(
        self, variables: Mapping[str, Variable], stored: Mapping[str, Array], path: str | None
    ) -> None:
        self._path = path
        self._unused = sorted(stored.keys() - variables.keys())
        self._without = sorted(variables.keys() - stored.keys())
        self._matched = stored.keys() & variables.keys()
        self._was_requested = False

    def assert_consumed(self) -> "LoadStatus":
        """Check that every variable was restored and every array in the file was used.

        Returns:
            This object.

        Raises:
            AssertionError: a variable or an array was not matched.
        """
        self.assert_existing_objects_matched()
        if self._unused:
            raise self._error(f"no object uses {', '.join(self._unused)}")
        return self

    def assert_existing_objects_matched(self) -> "LoadStatus":
        """Check that every variable was restored.

        Returns:
            This object.

        Raises:
            AssertionError: a variable was not restored.
        """
        self._was_requested = True
        if self._path is None:
            raise TapeAssertionError(
                "No checkpoint specified (save_path=None); nothing is being restored.",
                fix="call `save` first, then `tf.train.latest_checkpoint(directory)`",
            )
        if self._without:
            raise self._error(f"it does not contain {', '.join(self._without)}")
        return self

    def assert_nontrivial_match(self) -> "LoadStatus":
        """Check that at least one variable was restored.

        Returns:
            This object.

        Raises:
            AssertionError: no variable was restored.
        """
        self._was_requested = True
        if not any(not name.startswith(_COUNTER) for name in self._matched):
            raise self._error("no variable was restored")
        return self

    def expect_partial(self) -> "LoadStatus":
        """Suppress the log message about arrays in the file that no object uses.

        Returns:
            This object.
        """
        self._was_requested = True
        return self

    def _error(self, what: str) -> TapeAssertionError:
        return TapeAssertionError(
            f"The checkpoint {self._path} does not match the objects: {what}.",
            fix="call the model and build the optimizer before `restore`, so that their variables exist; "
            "or `restore(path).expect_partial()`",
        )

    def __del__(self) -> None:
        if self._unused and not self._was_requested:
            get_logger().warning(
                "The checkpoint %s contains %s, which no object uses. If this is intended, call "
                "`restore(path).expect_partial()`; otherwise call the model before `restore`.",
                self._path,
                ", ".join(self._unused),
            )


def _parts_of(root: Any) -> dict[str, Any]:
    """Return the attributes or entries of a root object in a dict, by their names."""
    if isinstance(root, Variable):
        return {"root": root}
    named = variables_by_name({"": root})
    return {
        name.removeprefix("/").split("/.ATTRIBUTES", 1)[0]: each for name, each in named.items()
    }


def stored_at(path: str) -> dict[str, Array]:
    """Read the arrays of a checkpoint.

    Args:
        path: Path of the checkpoint without `.npz`.

    Returns:
        A dict from names to arrays.

    Raises:
        NotFoundError: the checkpoint does not exist, or TensorFlow wrote it.
    """
    if Path(f"{path}.index").exists() and not file_of(path).exists():
        raise NotFoundError(
            f"{path} is a checkpoint in TensorFlow's format, which minitape cannot read.",
            fix="in TensorFlow `numpy.savez(file, *[v.numpy() for v in model.weights])`; here `model.set_weights(...)`",
            code="MT902",
        )
    try:
        return read_arrays(file_of(path))
    except FileNotFoundError as error:
        raise NotFoundError(
            f"There is no checkpoint at {path}: {file_of(path)} does not exist.",
            fix="`tf.train.latest_checkpoint(directory)`, which adds the number at the end of the name",
        ) from error


def _check(name: str, variable: Variable, array: Array) -> None:
    if tuple(variable.shape) != array.shape:
        raise TapeValueError(
            f"{name.removesuffix('/.ATTRIBUTES/VARIABLE_VALUE')} has shape {tuple(variable.shape)}, but the checkpoint "
            f"contains shape {array.shape}.",
            fix="create the model as it was when the checkpoint was saved",
        )
    if np.dtype(variable._array.dtype) != array.dtype:
        raise InvalidArgumentError(
            f"{name.removesuffix('/.ATTRIBUTES/VARIABLE_VALUE')} has dtype {variable.dtype.name}, but the checkpoint "
            f"contains {array.dtype}.",
            fix="create the variable with the dtype that it had when the checkpoint was saved",
        )


def _refuse(options: Any) -> None:
    if options is not None:
        raise TapeValueError(
            f"Checkpoint options are not supported. Received: options={options!r}",
            fix="options=None",
        )


__all__ = ["Checkpoint", "LoadStatus", "stored_at"]
