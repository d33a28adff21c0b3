"""The names inside TensorFlow that the ear goes by. None of them is promised, so each is looked for first."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

KNOWN_TO_WORK = ("2.21",)


class Unheard(Exception):  # noqa: N818  # what it is, not what went wrong
    """This TensorFlow cannot be heard.

    Args:
        reason: Why not, and with which one it works, in a sentence or two.
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
    "def_function": "tensorflow.python.eager.polymorphic_function.eager_function_run",
    "op_callbacks": "tensorflow.python.framework.op_callbacks",
    "constant_op": "tensorflow.python.framework.constant_op",
    "op_def_registry": "tensorflow.python.framework.op_def_registry",
    "ops": "tensorflow.python.framework.ops",
    "resources": "tensorflow.python.ops.resource_variable_ops",
    "script_ops": "tensorflow.python.ops.script_ops",
    "nest": "tensorflow.python.util.nest",
}
# What the ear cannot do without, by module.
_NEEDED = {
    "tfe": (
        "TFE_Py_FastPathExecute",
        "TFE_Py_Execute",
        "TFE_Py_RegisterGradientFunction",
    ),
    "backprop": ("GradientTape", "_gradient_function", "_extract_tensors_and_variables"),
    "context": ("context", "executing_eagerly"),
    "record": ("record_operation", "stop_recording"),
    "tape": ("push_new_tape", "variable_accessed"),
    "imperative_grad": ("imperative_grad",),
    "def_function": ("run_functions_eagerly", "functions_run_eagerly"),
    "op_callbacks": ("add_op_callback", "remove_op_callback"),
    "constant_op": ("convert_to_eager_tensor",),
    "op_def_registry": ("get",),
    "ops": ("EagerTensor", "_EagerTensorBase", "convert_to_tensor", "gradient_registry"),
    "resources": ("BaseResourceVariable", "ResourceVariable", "_UnreadVariable"),
    "script_ops": ("py_func_common",),
    "nest": ("flatten",),
}


class Privates:
    """TensorFlow's modules, under short names.

    Raises:
        Unheard: something that is needed is not there.
    """

    def __init__(self) -> None:
        public = importlib.import_module("tensorflow")
        self.version = str(getattr(public, "__version__", "unknown"))
        self.public: Any = public
        missing = []
        for short, name in _MODULES.items():
            try:
                module = importlib.import_module(name)
            except ImportError:
                missing.append(name)
                continue
            setattr(self, short, module)
            missing += [f"{name}.{each}" for each in _NEEDED[short] if not hasattr(module, each)]
        if missing:
            raise Unheard(
                f"TensorFlow {self.version} has no {missing[0]}"
                + (f" (and {len(missing) - 1} more)" if len(missing) > 1 else "")
                + f", by which it could be heard; known to work: {', '.join(KNOWN_TO_WORK)}."
            )

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


class Hooks:
    """What was put in TensorFlow's places, to be taken out again in one go."""

    def __init__(self) -> None:
        self._undo = ExitStack()

    def put(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        """Put `make(what is there)` in the place of an attribute."""
        was = getattr(owner, name)
        is_own = name in vars(owner)
        setattr(owner, name, make(was))

        def back() -> None:
            if is_own:
                setattr(owner, name, was)
            else:
                delattr(owner, name)

        self._undo.callback(back)

    def at_end(self, function: Callable[..., Any], *args: Any) -> None:
        """Call this when the hooks are taken out."""
        self._undo.callback(function, *args)

    def take_out(self) -> None:
        self._undo.close()
