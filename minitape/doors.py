"""What `import minitape` does not bring at once: rooms that open when they are entered, and help for names that are not there."""

import importlib
import sys
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

ROOMS = ("debug", "keras", "testing")
ROOMS_OF_KERAS = ("initializers", "losses", "metrics", "optimizers")  # TensorFlow's shorter way in

FOR_IPYTHON = ("load_ipython_extension", "unload_ipython_extension")  # `%load_ext minitape`

# TensorFlow's older names for initialisers.
INITIALIZERS = {
    "constant_initializer": "Constant",
    "ones_initializer": "Ones",
    "random_normal_initializer": "RandomNormal",
    "random_uniform_initializer": "RandomUniform",
    "zeros_initializer": "Zeros",
}

# log(0) is -inf and 0/0 is nan in TensorFlow, without a word; NumPy would warn of each.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minitape\.")


def open_door(name: str) -> Any:
    """`minitape.<name>` for a name that the shop window does not hold.

    Raises:
        AttributeError: minitape has no such name; the message gives the nearest.
    """
    if name in ROOMS:
        return importlib.import_module(f"minitape.{name}")
    if name in ROOMS_OF_KERAS:
        return importlib.import_module(f"minitape.keras.{name}")
    if name in INITIALIZERS:
        return getattr(importlib.import_module("minitape.keras.initializers"), INITIALIZERS[name])
    if name in ("observe", "why"):
        return getattr(importlib.import_module("minitape.debug"), name)
    if name in FOR_IPYTHON:
        return getattr(importlib.import_module("minitape.debug.magics"), name)
    if name.startswith("__"):
        raise AttributeError(name)
    raise _no_such(name, sys.modules["minitape"], "")


def nearest(module: str) -> Callable[[str], Any]:
    """A `__getattr__` for a room such as `minitape.nn`: names that are not there are answered with the nearest."""

    def answer(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise _no_such(name, sys.modules[module], module.removeprefix("minitape.") + ".")

    return answer


def _no_such(name: str, room: ModuleType, prefix: str) -> AttributeError:
    import difflib  # only a mistyped name needs it

    near = difflib.get_close_matches(name, room.__all__, n=1)
    hint = f"\n  try : tf.{prefix}{near[0]}" if near else ""
    return AttributeError(
        f"minitape has no '{prefix}{name}'.{hint}\n  more: minitape explain MT902"
    )
