"""A lazy namespace: `import minitape` brings no names, and the first use of one brings what it needs.

    a room         minitape.math, minitape.keras     the room, and what it stands on
    a short way    minitape.why, minitape.losses     what stands in a room under a longer name
    the window     minitape.constant                 all names of window.py together, with NumPy and the engine
    none of them   minitape.lookup                   the error tells what it is, and what to write instead

What was found is put into the package, where Python looks first: each name comes here once.
"""

import importlib
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

# Name: the room, and what it is called there; without that, the room itself.
_SHORT_WAYS = {
    # TensorFlow's shorter way into keras, and its older names for initialisers
    "initializers": ("keras.initializers", ""),
    "losses": ("keras.losses", ""),
    "metrics": ("keras.metrics", ""),
    "optimizers": ("keras.optimizers", ""),
    "constant_initializer": ("keras.initializers", "Constant"),
    "ones_initializer": ("keras.initializers", "Ones"),
    "random_normal_initializer": ("keras.initializers", "RandomNormal"),
    "random_uniform_initializer": ("keras.initializers", "RandomUniform"),
    "zeros_initializer": ("keras.initializers", "Zeros"),
    # It brings a package along
    "bfloat16": ("dtypes", "bfloat16"),
    "observe": ("debug", "observe"),
    "why": ("debug", "why"),
    # `%load_ext minitape`
    "load_ipython_extension": ("debug.magics", "load_ipython_extension"),
    "unload_ipython_extension": ("debug.magics", "unload_ipython_extension"),
}

# log(0) is -inf and 0/0 is nan in TensorFlow, without a word; NumPy would warn of each. Said here and not by the engine when it
# comes: that may be inside a block which takes back at its end what was said of warnings.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minitape\.")


def first_use(name: str) -> Any:
    """`minitape.<name>` for a name that the package does not have yet.

    Raises:
        AttributeError: minitape has no such name.
        ImportError: the same, of `from minitape import`.
    """
    package = sys.modules["minitape"]
    if name in _SHORT_WAYS:
        room, inside = _SHORT_WAYS[name]
        found: Any = importlib.import_module(f"minitape.{room}")
        if inside:
            found = getattr(found, inside)
        setattr(package, name, found)
        return found
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    room_of_that_name = _room(name)
    if room_of_that_name is not None:
        return room_of_that_name
    _show_window(package)
    if name in vars(package):
        return vars(package)[name]
    raise _missing("tf", name, names())


def names() -> list[str]:
    """For `dir(minitape)`: all names of the window, and the rooms that are open."""
    package = sys.modules["minitape"]
    _show_window(package)
    return sorted(vars(package))


def _room(name: str) -> ModuleType | None:
    """The page or folder of this package that is called so."""
    full_name = f"minitape.{name}"
    try:
        room = importlib.import_module(full_name)
        _let_errors_tell()
        return room
    except ModuleNotFoundError as error:
        if error.name != full_name:
            raise  # the room is there, and misses something itself
        return None


def _show_window(package: ModuleType) -> None:
    if "__all__" not in vars(package):
        window = importlib.import_module("minitape.window")
        shown = {name: vars(window)[name] for name in window.__all__}
        vars(package).update(shown, __all__=[*shown])
        _let_errors_tell()


def _let_errors_tell() -> None:
    """`minitape.errors` stands below this page and cannot ask for `telling` itself."""
    name = "minitape.errors"
    if name in sys.modules:
        vars(sys.modules[name]).setdefault("__getattr__", telling(name))


def with_pages(
    module: str, pages: Mapping[str, Iterable[str]], otherwise: Callable[[str], Any]
) -> Callable[[str], Any]:
    """A `__getattr__` for a room with names that few programs use: the page of one is opened with its first use.

    Args:
        module: The room's name.
        pages: For each page its names; one that is not there is the page itself.
        otherwise: What answers for the names of no page.
    """
    page_of = {name: page for page, inside in pages.items() for name in inside}

    def answer(name: str) -> Any:
        if name not in page_of:
            return otherwise(name)
        page = importlib.import_module(f"minitape.{page_of[name]}")
        found = vars(page).get(name, page)
        setattr(sys.modules[module], name, found)
        return found

    return answer


def telling(module: str) -> Callable[[str], Any]:
    """A `__getattr__` for a room such as `minitape.nn`: names that are not there are told what they are."""

    def answer(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        there = [each for each in vars(sys.modules[module]) if not each.startswith("_")]
        raise _missing(module.replace("minitape", "tf", 1), name, there)

    return answer


def tell_inside(package: str) -> None:
    """Let all rooms of a package such as `minitape.keras` tell what is missing in them."""
    for name, room in list(sys.modules.items()):
        if name.startswith(f"{package}."):
            vars(room).setdefault("__getattr__", telling(name))


def _missing(room: str, name: str, there: list[str]) -> Exception:
    from minitape.missing.asked import of_room  # only a missing name needs it

    return of_room(room, name, there)
