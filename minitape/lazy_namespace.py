"""A lazy namespace: `import minitape` imports no names, and the first use of a name imports what it needs.

    a module       minitape.math, minitape.keras     the module and its dependencies
    a short name   minitape.why, minitape.losses     an object that a module has under a longer name
    the API        minitape.constant                 all names of api.py at once, with NumPy and the engine
    other names    minitape.lookup                   an error that explains the name and what to write instead

A name that was found is stored in the package, where Python finds it first, so each name is looked up here only once.
"""

import importlib
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

# Maps a short name to a module and a name in it; without a name in it, to the module itself.
_SHORT_WAYS = {
    # TensorFlow's short names of keras modules, and its older names of initializers
    "initializers": ("keras.initializers", ""),
    "losses": ("keras.losses", ""),
    "metrics": ("keras.metrics", ""),
    "optimizers": ("keras.optimizers", ""),
    "constant_initializer": ("keras.initializers", "Constant"),
    "ones_initializer": ("keras.initializers", "Ones"),
    "random_normal_initializer": ("keras.initializers", "RandomNormal"),
    "random_uniform_initializer": ("keras.initializers", "RandomUniform"),
    "zeros_initializer": ("keras.initializers", "Zeros"),
    # it needs another package, which it imports
    "bfloat16": ("dtypes", "bfloat16"),
    "observe": ("debug", "observe"),
    "why": ("debug", "why"),
    # `%load_ext minitape`
    "load_ipython_extension": ("course.notebooks.magics", "load_ipython_extension"),
    "unload_ipython_extension": ("course.notebooks.magics", "unload_ipython_extension"),
}

# log(0) is -inf and 0/0 is nan in TensorFlow, without a warning; NumPy would warn. Set here and not when the engine is imported,
# because that may happen inside `warnings.catch_warnings()`, which would undo it at its end.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minitape\.")


def first_use(name: str) -> Any:
    """Return `minitape.<name>` for a name that the package does not have yet.

    Raises:
        AttributeError: minitape has no such name.
        ImportError: minitape has no such name, in `from minitape import`.
    """
    package = sys.modules["minitape"]
    if name in _SHORT_WAYS:
        namespace, inside = _SHORT_WAYS[name]
        found: Any = importlib.import_module(f"minitape.{namespace}")
        if inside:
            found = getattr(found, inside)
        setattr(package, name, found)
        return found
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    namespace_of_that_name = _namespace(name)
    if namespace_of_that_name is not None:
        return namespace_of_that_name
    _fill_namespace(package)
    if name in vars(package):
        return vars(package)[name]
    raise _missing("tf", name, names())


def names() -> list[str]:
    """Return the names for `dir(minitape)`: all names of the API, and the modules that are imported."""
    package = sys.modules["minitape"]
    _fill_namespace(package)
    return sorted(vars(package))


def _namespace(name: str) -> ModuleType | None:
    """Return the module or subpackage with this name."""
    full_name = f"minitape.{name}"
    try:
        namespace = importlib.import_module(full_name)
        _add_advice_to_errors()
        return namespace
    except ModuleNotFoundError as error:
        if error.name != full_name:
            raise  # the module exists, but a module that it imports is missing
        return None


def _fill_namespace(package: ModuleType) -> None:
    if "__all__" not in vars(package):
        window = importlib.import_module("minitape.api")
        shown = {name: vars(window)[name] for name in window.__all__}
        vars(package).update(shown, __all__=[*shown])
        _add_advice_to_errors()


def _add_advice_to_errors() -> None:
    """Install `helpful_getattr` in `minitape.errors`, which cannot import this module."""
    name = "minitape.errors"
    if name in sys.modules:
        vars(sys.modules[name]).setdefault("__getattr__", helpful_getattr(name))


def with_submodules(
    module: str, submodules: Mapping[str, Iterable[str]], otherwise: Callable[[str], Any]
) -> Callable[[str], Any]:
    """Return a `__getattr__` for a module with rarely used names, which imports the module of such a name when it is first used.

    Args:
        module: The name of the module that gets the `__getattr__`.
        submodules: The names that each module provides; a name equal to that of the module means the module itself.
        otherwise: The `__getattr__` for all other names.
    """
    submodule_of = {name: submodule for submodule, inside in submodules.items() for name in inside}

    def answer(name: str) -> Any:
        if name not in submodule_of:
            return otherwise(name)
        submodule = importlib.import_module(f"minitape.{submodule_of[name]}")
        found = vars(submodule).get(name, submodule)
        setattr(sys.modules[module], name, found)
        return found

    def names() -> list[str]:
        return sorted({*vars(sys.modules[module]), *submodule_of})

    vars(sys.modules[module])["__dir__"] = names  # so that `dir` lists them before they are used
    return answer


def helpful_getattr(module: str) -> Callable[[str], Any]:
    """Return a `__getattr__` for a module such as `minitape.nn` that explains a missing name in its error."""

    def answer(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        # The modules of the engine that a namespace imports are not among its names.
        there = [
            each
            for each, value in vars(sys.modules[module]).items()
            if not each.startswith("_") and not isinstance(value, ModuleType)
        ]
        raise _missing(module.replace("minitape", "tf", 1), name, there)

    return answer


def install_helpful_getattr(package: str) -> None:
    """Install `helpful_getattr` in all modules of a package such as `minitape.keras`."""
    for name, namespace in list(sys.modules.items()):
        if name.startswith(f"{package}."):
            vars(namespace).setdefault("__getattr__", helpful_getattr(name))


def _missing(namespace: str, name: str, there: list[str]) -> Exception:
    from minitape.unsupported.errors import of_namespace  # imported only for a missing name

    return of_namespace(namespace, name, there)
