"""Checkpoint: save all variables of some objects to a file, and restore them.

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
from minitape.train.holding import is_holder, variables_by_name
from minitape.train.state import file_of, record_latest

_COUNTER = "save_counter"


class Checkpoint:
    """Objects that are saved and restored together.

    Unlike TensorFlow, variables that a layer creates later are not restored: call a model once before `restore`. Values in
    the file that no object uses are logged, unless `expect_partial` or an assertion is called.

    Args:
        root: An object whose attributes are saved under their own names.
        kwargs: Objects by name: variables, modules, layers, models, optimizers, or lists and dicts of them.

    Raises:
        ValueError: an object has no variables, such as an iterator.

    Source: https://www.tensorflow.org/api_docs/python/tf/train/Checkpoint
    """

    save_counter: Variable

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        for name, thing in kwargs.items():
            if not is_holder(thing):
                raise TapeValueError(
                    f"`Checkpoint` was expecting {name} to be a trackable object, with variables. It is a "
                    f"{type(thing).__name__}.",
                    fix=f"{name}=tf.Variable(...) for a number; remove iterators of datasets",
                )
            setattr(self, name, thing)
        self._root = root

    @property
    def variables(self) -> list[Variable]:
        """All variables of the checkpoint."""
        return list(self._variables().values())

    def _variables(self) -> dict[str, Variable]:
        """Return the variables by their names in the file."""
        own = {name: thing for name, thing in vars(self).items() if name != "_root"}
        root = {} if self._root is None else _parts_of(self._root)
        return variables_by_name({**root, **own})

    # --- saving ---

    def save(self, file_prefix: Any, options: Any = None) -> str:
        """Write a numbered checkpoint, and record in the folder that it is the latest.

        Args:
            file_prefix: Folder and name; `-1.npz` and so on is appended.
            options: Must be None.

        Returns:
            The path without `.npz`, for `restore`.
        """
        self._make_counter().assign_add(1)
        path = self.write(f"{os.fspath(file_prefix)}-{int(self.save_counter._array)}", options)
        record_latest(Path(path))
        return path

    def write(self, file_prefix: Any, options: Any = None) -> str:
        """Write a checkpoint under exactly this name, without recording it in the folder."""
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
            return self._make_counter()  # created when it is first used
        raise AttributeError(name)

    # --- restoring ---

    def restore(self, save_path: Any, options: Any = None) -> "LoadStatus":
        """Set all variables to the values of a checkpoint of `save`; None has no effect.

        Args:
            save_path: The result of `save` or `tf.train.latest_checkpoint`.
            options: Must be None.

        Returns:
            A status with assertions about what was restored.

        Raises:
            NotFoundError: the checkpoint does not exist.
            ValueError: a variable has another shape.
            InvalidArgumentError: a variable has another dtype.
        """
        _refuse(options)
        self._make_counter()
        return LoadStatus({}, {}, None) if save_path is None else self.read(save_path)

    def read(self, save_path: Any, options: Any = None) -> "LoadStatus":
        """Set all variables to the values of a checkpoint of `write`; otherwise like `restore`."""
        _refuse(options)
        stored = stored_at(os.fspath(save_path))
        variables = self._variables()
        both = [name for name in variables if name in stored]
        for name in both:  # checks all of them before the first one is changed
            _check(name, variables[name], stored[name])
        for name in both:
            variables[name].assign(stored[name])
        return LoadStatus(variables, stored, os.fspath(save_path))


class LoadStatus:
    """The result of `restore`: which variables and values matched.

    Args:
        variables: The variables of the objects, by name.
        stored: The arrays of the file, by name.
        path: The path of the checkpoint; None if there was none.
    """

    def __init__(
        self, variables: Mapping[str, Variable], stored: Mapping[str, Array], path: str | None
    ) -> None:
        self._path = path
        self._unused = sorted(stored.keys() - variables.keys())
        self._without = sorted(variables.keys() - stored.keys())
        self._matched = stored.keys() & variables.keys()
        self._was_asked = False

    def assert_consumed(self) -> "LoadStatus":
        """Raise AssertionError unless each variable was restored and each value of the file was used."""
        self.assert_existing_objects_matched()
        if self._unused:
            raise self._error(f"no object uses {', '.join(self._unused)}")
        return self

    def assert_existing_objects_matched(self) -> "LoadStatus":
        """Raise AssertionError unless each variable was restored."""
        self._was_asked = True
        if self._path is None:
            raise TapeAssertionError(
                "No checkpoint specified (save_path=None); nothing is being restored.",
                fix="save a checkpoint, then tf.train.latest_checkpoint(folder)",
            )
        if self._without:
            raise self._error(f"it has no value for {', '.join(self._without)}")
        return self

    def assert_nontrivial_match(self) -> "LoadStatus":
        """Raise AssertionError unless at least one variable was restored."""
        self._was_asked = True
        if not any(not name.startswith(_COUNTER) for name in self._matched):
            raise self._error("none of it was restored")
        return self

    def expect_partial(self) -> "LoadStatus":
        """Accept that some values of the file are not used, so that no warning is logged."""
        self._was_asked = True
        return self

    def _error(self, what: str) -> TapeAssertionError:
        return TapeAssertionError(
            f"The checkpoint {self._path} does not fit: {what}.",
            fix="call the model and build the optimizer before restore, so that their variables exist; "
            "or restore(path).expect_partial()",
        )

    def __del__(self) -> None:
        if self._unused and not self._was_asked:
            get_logger().warning(
                "Of the checkpoint %s, no object uses %s. If this is intended, call restore(path).expect_partial(). If not, call "
                "the model before restore.",
                self._path,
                ", ".join(self._unused),
            )


def _parts_of(root: Any) -> dict[str, Any]:
    """Return the attributes or entries of a root by name."""
    if isinstance(root, Variable):
        return {"root": root}
    named = variables_by_name({"": root})
    return {
        name.removeprefix("/").split("/.ATTRIBUTES", 1)[0]: each for name, each in named.items()
    }


def stored_at(path: str) -> dict[str, Array]:
    """Return the arrays of a checkpoint by name.

    Raises:
        NotFoundError: the checkpoint does not exist, or was written by TensorFlow.
    """
    if Path(f"{path}.index").exists() and not file_of(path).exists():
        raise NotFoundError(
            f"`{path}` is a checkpoint written by TensorFlow, whose format minitape cannot read.",
            fix="numpy.savez(file, *[v.numpy() for v in model.weights]) under TensorFlow, "
            "then model.set_weights(...) under minitape",
            code="MT902",
        )
    try:
        return read_arrays(file_of(path))
    except FileNotFoundError as error:
        raise NotFoundError(
            f"No checkpoint exists at {path}, because the file {file_of(path)} does not exist.",
            fix="tf.train.latest_checkpoint(folder), which finds the number at the end of the name",
        ) from error


def _check(name: str, variable: Variable, array: Array) -> None:
    if tuple(variable.shape) != array.shape:
        raise TapeValueError(
            f"{name.removesuffix('/.ATTRIBUTES/VARIABLE_VALUE')} has shape {tuple(variable.shape)}, but its value in "
            f"the checkpoint has shape {array.shape}.",
            fix="the model as it was when the checkpoint was saved",
        )
    if np.dtype(variable._array.dtype) != array.dtype:
        raise InvalidArgumentError(
            f"{name.removesuffix('/.ATTRIBUTES/VARIABLE_VALUE')} has dtype {variable.dtype.name}, but its value in "
            f"the checkpoint has dtype {array.dtype}.",
            fix="the dtype that it had when the checkpoint was saved",
        )


def _refuse(options: Any) -> None:
    if options is not None:
        raise TapeValueError(
            "minitape's checkpoints have no options.",
            fix="options=None",
        )


__all__ = ["Checkpoint", "LoadStatus", "stored_at"]
