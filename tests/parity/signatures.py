"""Record the parameters of TensorFlow's public callables: `python tests/parity/signatures.py`, with a Python that has TensorFlow.

They become `recorded/signatures.json`, with one callable per line, sorted by name:

    "argmax": ["input", "axis=None", "output_type=tf.int64", "name=None"]     a function
    "Module": ["name=None"]                                                  a class, as it is called
    "Module bases": [...]                                                    the public classes that it inherits from
    "Module.with_name_scope": ["method"]                                     a method, in the class that defines it
    "math.argmax": "argmax"                                                  another name for the same thing

`*` precedes keyword-only parameters, and `/` follows positional-only ones; a default that is not a plain value is in <>.
"""

import enum
import inspect
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

RECORDED = Path(__file__).parent / "recorded" / "signatures.json"

# The packages of TensorFlow in which minitape has names, or may have names later.
ROOMS = (
    "",
    *("autodiff", "bitwise", "config", "data", "debugging", "dtypes", "errors", "image", "linalg"),
    *("math", "nest", "nn", "random", "signal", "strings", "summary", "test", "train"),
    "config.experimental",
    "data.experimental",
    "keras",
    *(
        f"keras.{room}"
        for room in (
            *("activations", "backend", "callbacks", "config", "constraints", "datasets"),
            *("initializers", "layers", "losses", "metrics", "mixed_precision", "models"),
            *("optimizers", "optimizers.schedules", "random", "regularizers", "tree", "utils"),
            *(f"datasets.{name}" for name in ("boston_housing", "california_housing")),
            *(f"datasets.{name}" for name in ("cifar10", "cifar100", "fashion_mnist")),
            *(f"datasets.{name}" for name in ("imdb", "mnist", "reuters")),
        )
    ),
    *("initializers", "losses", "metrics", "optimizers", "optimizers.schedules"),
)


def plain(default: Any) -> str:
    """Return a default value in readable form."""
    if isinstance(default, enum.Enum):
        return f"<{type(default).__name__}.{default.name}>"
    if type(default).__name__ == "DType":
        return f"tf.{default.name}"
    if default is None or isinstance(default, bool | int | float | str):
        return repr(default)
    if isinstance(default, tuple | list) and all(
        not plain(each).startswith("<") for each in default
    ):
        return repr(default)
    return f"<{getattr(default, '__name__', type(default).__name__)}>"


def words_of(callable_: Any, *, skip: int = 0) -> list[str] | None:
    """Return the parameters of a callable as strings, without the first few; None if Python cannot determine them.

    For a class, these are the parameters of `__init__`, because a `__new__` or a metaclass only passes its arguments on.
    """
    if isinstance(callable_, type) and inspect.isfunction(callable_.__init__):
        return words_of(callable_.__init__, skip=1)
    try:
        parameters = list(inspect.signature(callable_).parameters.values())[skip:]
    except (TypeError, ValueError):
        return None
    words: list[str] = []
    stars = False
    for i, each in enumerate(parameters):
        if each.kind is each.KEYWORD_ONLY and not stars:
            words.append("*")
            stars = True
        stars |= each.kind is each.VAR_POSITIONAL
        star = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
        default = "" if each.default is each.empty else f"={plain(each.default)}"
        words.append(f"{star}{each.name}{default}")
        following = parameters[i + 1].kind if i + 1 < len(parameters) else None
        if each.kind is each.POSITIONAL_ONLY and following is not each.POSITIONAL_ONLY:
            words.append("/")
    return words


def is_public(name: str) -> bool:
    """Return whether a name has no leading underscore, or is `__init__` or `__call__`."""
    return name in ("__init__", "__call__") or not name.startswith("_")


def methods_of(cls: type) -> Iterator[tuple[str, Any]]:
    """Return the public methods that a class itself defines; class methods are bound."""
    for name, held in sorted(vars(cls).items()):
        if not is_public(name) or name == "__init__":
            continue
        if isinstance(held, classmethod | staticmethod):
            yield name, getattr(cls, name)
        elif callable(held) and not isinstance(held, type):
            yield name, held


def room_of(tf: Any, path: str) -> Any:
    """Return the module at a dotted path; None if TensorFlow has no such module."""
    room = tf
    for part in filter(None, path.split(".")):
        room = getattr(room, part, None)
    return room


def record(tf: Any) -> dict[str, Any]:
    """Return all lines by name."""
    lines: dict[str, Any] = {}
    first_name: dict[int, str] = {}
    classes: dict[type, str] = {}
    for path in ROOMS:
        room = room_of(tf, path)
        for name in sorted(dir(room)) if room is not None else ():
            thing = getattr(room, name, None)
            if name.startswith("_") or isinstance(thing, ModuleType) or not callable(thing):
                continue
            full_name = f"{path}.{name}".lstrip(".")
            if id(thing) in first_name:
                lines[full_name] = first_name[id(thing)]
                continue
            first_name[id(thing)] = full_name
            lines[full_name] = words_of(thing)
            if isinstance(thing, type):
                classes[thing] = full_name
    for cls, full_name in classes.items():
        bases = [classes[base] for base in cls.__mro__[1:] if base in classes]
        if bases:
            lines[f"{full_name} bases"] = bases
        for base in reversed(cls.__mro__[: _up_to_public(cls, classes)]):
            for name, method in methods_of(base):
                is_bound = isinstance(vars(base)[name], classmethod | staticmethod)
                lines[f"{full_name}.{name}"] = words_of(method, skip=0 if is_bound else 1)
    return {name: words for name, words in lines.items() if words is not None}


def _up_to_public(cls: type, classes: dict[type, str]) -> int:
    """Return the number of classes without a public name at the start of the inheritance chain, including `cls`."""
    mro = cls.__mro__[:-1]
    return next((i for i, base in enumerate(mro) if i and base in classes), len(mro))


def main() -> None:
    """Record all signatures."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf  # only here: test collection imports this module without TensorFlow

    lines = [
        f"  {json.dumps(name)}: {json.dumps(words)}" for name, words in sorted(record(tf).items())
    ]
    header = {"tensorflow": tf.__version__, "keras": tf.keras.__version__}
    RECORDED.write_text(
        f'{{\n "recorded with": {json.dumps(header)},\n "signatures": {{\n'
        + ",\n".join(lines)
        + "\n }\n}\n",
        encoding="utf-8",
    )
    print(f"{len(lines)} lines", file=sys.stderr)


if __name__ == "__main__":
    main()
