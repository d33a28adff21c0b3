"""What `import minitape` does not bring at once: rooms that open when they are entered, and help for names that are not there."""

import importlib
import sys
import warnings
from typing import Any

ROOMS = ("debug", "keras", "testing")

# log(0) is -inf and 0/0 is nan in TensorFlow, without a word; NumPy would warn of each.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minitape\.")


def open_door(name: str) -> Any:
    """`minitape.<name>` for a name that the shop window does not hold.

    Raises:
        AttributeError: minitape has no such name; the message gives the nearest.
    """
    if name in ROOMS:
        return importlib.import_module(f"minitape.{name}")
    if name.startswith("__"):
        raise AttributeError(name)
    import difflib  # only a mistyped name needs it

    names = sys.modules["minitape"].__all__
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"\n  try : tf.{near[0]}" if near else ""
    raise AttributeError(f"minitape has no '{name}'.{hint}\n  more: minitape explain MT902")
