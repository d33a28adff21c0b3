"""The private names of TensorFlow that the tracer uses. They are not public, so each name is checked before use."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from contextlib import ExitStack
from types import ModuleType
from typing import Any

TRIED = ("2.15", "2.16", "2.18", "2.21")


class UntraceableError(Exception):
    """This version of TensorFlow cannot be traced.

    Args:
        reason: Why it cannot be traced, and which versions can be, in one or two sentences.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


_MODULES = {
    "tfe": "tensorflow.python.pywrap_tfe",
    "backprop": "tensorflow.python.eager.backprop",
    "context": "tensorflow.python.eager.context",
    "record": "tensorflow.python.eager.record",
    "tape": "tensorflow.python.eager.tape",
    "imperative_grad": "tensorflow.python.eager.imperative_grad",
    "functions": "tensorflow.python.eager.polymorphic_function.eager_function_run",
    "op_callbacks": "tensorflow.python.framework.op_callbacks",
    "constant_op": "tensorflow.python.framework.constant_op",
    "op_def_registry": "tensorflow.python.framework.op_def_registry",
    "ops": "tensorflow.python.framework.ops",
    "resources": "tensorflow.python.ops.resource_variable_ops",
    "script_ops": "tensorflow.python.ops.script_ops",
    "nest": "tensorflow.python.util.nest",
}
# The names without which nothing can be traced, by module.
_NEEDED = {
    "tfe": (
        "TFE_Py_FastPathExecute",
        "TFE_Py_Execute",
        "TFE_Py_RegisterGradientFunction",
        "TFE_Py_TapeSetIsStopped",
    ),
    "backprop": ("GradientTape", "_gradient_function", "_extract_tensors_and_variables"),
    "context": ("context", "executing_eagerly"),
    "op_callbacks": ("add_op_callback", "remove_op_callback"),
    "constant_op": ("convert_to_eager_tensor",),
    "op_def_registry": ("get",),
    "ops": ("EagerTensor", "_EagerTensorBase", "convert_to_tensor", "gradient_registry"),
    "resources": ("BaseResourceVariable", "ResourceVariable", "_UnreadVariable"),
    "tape": ("variable_accessed",),
    "nest": ("flatten",),
}
# The features that cannot be traced without the other names.
_LOST = {
    ("record", "record_operation"): "the program's own gradient functions are not traced",
    ("record", "stop_recording"): "the backward pass of a Jacobian is not shown",
    ("tape", "push_new_tape"): "the backward pass of a Jacobian is not shown",
    ("imperative_grad", "imperative_grad"): "the backward pass of a Jacobian is not shown",
    (
        "functions",
        "run_functions_eagerly",
    ): "functions remain graphs, and their contents are not traced",
    (
        "functions",
        "functions_run_eagerly",
    ): "functions remain graphs, and their contents are not traced",
    ("script_ops", "py_func_common"): "values that pass through `tf.numpy_function` are not traced",
}


class Privates:
    """TensorFlow's modules, under short names.

    `lacks` has a sentence for each feature that cannot be traced in this version.

    Raises:
        UntraceableError: a name is missing without which nothing can be traced.
    """

    def __init__(self) -> None:
        self.public: Any = importlib.import_module("tensorflow")
        self.version = str(getattr(self.public, "__version__", "unknown"))
        for short, name in _MODULES.items():
            setattr(self, short, module_called(name))
        missing = [
            f"{_MODULES[short]}.{name}"
            for short, names in _NEEDED.items()
            for name in names
            if not hasattr(getattr(self, short), name)
        ]
        if missing:
            others = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
            raise UntraceableError(
                f"TensorFlow {self.version} has no {missing[0]}{others}, which tracing needs; "
                f"tested versions: {', '.join(TRIED)}."
            )
        lost = [why for location, why in _LOST.items() if not self.has(*location)]
        self.lacks = [f"In TensorFlow {self.version}, {why}." for why in dict.fromkeys(lost)]

    @property
    def is_tried(self) -> bool:
        """Whether the version was tested, or is between tested versions."""
        versions = [tuple(map(int, each.split("."))) for each in TRIED]
        found = re.match(r"(\d+)\.(\d+)", self.version)
        return found is not None and versions[0] <= (int(found[1]), int(found[2])) <= versions[-1]

    def has(self, module: str, name: str) -> bool:
        """Whether an optional name exists."""
        return hasattr(getattr(self, module), name)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


def module_called(name: str) -> Any:
    """Return a module, or an empty one if no module has this name."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return ModuleType(name)


class Hooks:
    """The replaced attributes of TensorFlow, which are all restored together."""

    def __init__(self) -> None:
        self._undo = ExitStack()

    def put(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        """Replace an attribute by `make(attribute)`; do nothing if it does not exist."""
        was = getattr(owner, name, None)
        if was is None:
            return
        is_own = name in vars(owner)
        setattr(owner, name, make(was))

        def back() -> None:
            if is_own:
                setattr(owner, name, was)
            else:
                delattr(owner, name)

        self._undo.callback(back)

    def at_end(self, function: Callable[..., Any], *args: Any) -> None:
        """Call this function when the hooks are removed."""
        self._undo.callback(function, *args)

    def take_out(self) -> None:
        self._undo.close()
