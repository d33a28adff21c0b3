"""Finds names of TensorFlow that a program uses and minitape lacks, in the program's text before it runs.

    missing_names   the names in the texts of a program, and in the modules that it imports from its own folder
    MissingName     one of these names, with its location and the error that it raises there

A user whose program trains for minutes and then calls `model.save` should be warned at the start. The text is only read and not
run, so the answer is a guess. In doubt a name is omitted: if the program may never reach it, if it is in a function that nothing
mentions, or if the program binds a name twice. The check looks up each name in minitape itself. The work is proportional to the
length of the text.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from inspect import isclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from minitape.storage import read_file
from minitape.unsupported import advice, table
from minitape.unsupported.program_text import EnclosingFunction, ProgramText, Use

_LONGEST = 400_000  # bytes in total, which is about 10,000 lines
_MOST_FILES = 20
_MOST_ALIASES = 4
_MODULES = {"tensorflow": "tf", "minitape": "tf", "keras": "tf.keras"}
# Functions that return a Keras model.
_MODELS = {
    *(
        "tf.keras.Model",
        "tf.keras.Sequential",
        "tf.keras.models.Model",
        "tf.keras.models.Sequential",
    ),
    *("tf.keras.models.clone_model", "tf.keras.models.load_model"),
}
# Attributes that only a Keras model has, among the objects that programs save.
_OF_A_MODEL = {
    "compile",
    "get_layer",
    "load_weights",
    "save_weights",
    "train_on_batch",
    "trainable_variables",
}
# Methods that Keras calls, so a program need not mention them.
_CALLED_BY_KERAS = {
    "build",
    "call",
    "compute_loss",
    "result",
    "test_step",
    "train_step",
    "update_state",
    "update_step",
}
_WEIGHTS_ENDING = ".npz"


class MissingName(NamedTuple):
    """A name that minitape lacks; `error` is the type of the exception that its line will raise."""

    file: str
    line: int
    name: str
    error: str


def missing_names(parts: Sequence[tuple[str, bytes]], folder: Path) -> list[MissingName]:
    """Return the names of TensorFlow that a program uses and minitape lacks.

    Args:
        parts: The file name and text of each part of the main program; the parts of a notebook are its cells.
        folder: Where the modules of the program are.

    Returns:
        One entry for each name and file, the main program first, in the order of the lines; an empty result for a program of more
        than 400,000 bytes, and for one that Python cannot read.
    """
    found: dict[tuple[str, str], MissingName] = {}
    with warnings.catch_warnings():
        # Python itself issues the warnings when it compiles the text
        warnings.simplefilter("ignore")
        texts = list(_texts(parts, folder))
        usage = _Usage(texts)
        for text in texts:
            for each in _Resolver(text, usage).missing():
                found.setdefault((each.file, each.name), each)
    return list(found.values())


# --- the texts ---


def _texts(parts: Sequence[tuple[str, bytes]], folder: Path) -> Iterator[ProgramText]:
    """Yield the main program, then the modules in its folder that it imports, then those that these modules import, and so on."""
    left = _LONGEST - sum(len(data) for _, data in parts)
    waiting = [(parts, folder)] if left >= 0 else []
    known: set[Path] = set()
    while waiting:
        read, folder_of_script = waiting.pop(0)
        trees = [(name, tree) for name, data in read for tree in _parsed(data)]
        text = ProgramText(trees, is_main=read is parts)
        yield text
        for path in _imported(text, folder, folder_of_script):
            if path not in known and len(known) < _MOST_FILES:
                known.add(path)
                with suppress(OSError):
                    data = read_file(path, most=left)
                    left -= len(data)
                    waiting.append(([(str(path), data)], path.parent))


def _parsed(text: bytes) -> list[ast.Module]:
    try:
        return [ast.parse(text)]
    except (
        SyntaxError,
        ValueError,
        RecursionError,
        MemoryError,
    ):  # Python reports the error when it runs the text
        return []


def _imported(text: ProgramText, folder: Path, folder_of_script: Path) -> Iterator[Path]:
    """Yield the files in the program's folder that a text imports; `folder_of_script` is the folder of the text."""
    for use, node in text.imports:
        base = folder
        if isinstance(node, ast.ImportFrom) and node.level:
            base = folder_of_script
            for _ in range(min(node.level, _MOST_ALIASES) - 1):
                base = base.parent
        parts = use.name.split(".")
        for count in range(len(parts), 0, -1):
            path = base.joinpath(*parts[:count])
            for each in (path.with_name(f"{path.name}.py"), path / "__init__.py"):
                if each.is_file():
                    yield each


# --- what the names are ---


def _full(name: str) -> str:
    """Return `tf.nn` for the imported name `tensorflow.nn`; return names of other libraries unchanged."""
    top, dot, rest = name.partition(".")
    return f"{_MODULES.get(top, top)}{dot}{rest}"


class _Usage:
    """The functions of a program that its text mentions somewhere."""

    def __init__(self, texts: Sequence[ProgramText]) -> None:
        self._read = {name for text in texts for name in text.read}
        self.methods = {name for text in texts for name in text.methods}

    def may_run(self, use: Use) -> bool:
        return all(map(self._is_named, use.owners))

    def _is_named(self, owner: EnclosingFunction) -> bool:
        if not owner.of:
            return owner.name in self._read
        is_called = owner.name.startswith(("__", "on_")) or owner.name in _CALLED_BY_KERAS
        return owner.of in self._read and (is_called or owner.name in self._read)


class _Resolver:
    """Finds the missing names of one file."""

    def __init__(self, text: ProgramText, usage: _Usage) -> None:
        self._text = text
        self._usage = usage
        self._makers: dict[str, bool | None] = {}
        self._models: dict[tuple[str, str], bool] = {}
        self._provided = {self._full(name) for name in text.stored}

    def missing(self) -> list[MissingName]:
        found = [*self._imports(), *self._dotted(), *self._calls()]
        return sorted(found, key=lambda each: (each.file, each.line))

    def _imports(self) -> Iterator[MissingName]:
        for use, node in self._text.imports:
            is_from = isinstance(node, ast.ImportFrom)
            is_relative = isinstance(node, ast.ImportFrom) and node.level > 0
            if not is_relative and self._usage.may_run(use):
                name = _full(use.name)
                lacking = _lacking(name)
                if lacking:
                    is_name = is_from and lacking == name
                    error = "ImportError" if is_name else "ModuleNotFoundError"
                    yield MissingName(use.file, use.line, lacking, error)

    def _dotted(self) -> Iterator[MissingName]:
        for use in self._text.dotted:
            lacking = _lacking(self._full(use.name))
            if lacking and lacking not in self._provided and self._usage.may_run(use):
                yield MissingName(use.file, use.line, lacking, "AttributeError")

    def _calls(self) -> Iterator[MissingName]:
        for use, node in self._text.calls:
            name, error = use.name, advice.REFUSED.get(self._full(use.name), "")
            receiver, _, method = use.name.rpartition(".")
            if (
                receiver
                and not error
                and method not in self._usage.methods
                and self._is_model(receiver, use.scope)
            ):
                name, error = self._of_model(receiver, method, node)
            if error and self._usage.may_run(use):
                yield MissingName(use.file, use.line, name, error)

    def _full(self, name: str) -> str:
        """Return `tf.keras.layers.Dense` for `layers.Dense`; empty if the name may refer to different things in the program."""
        for _ in range(_MOST_ALIASES):
            root, dot, rest = name.partition(".")
            bound = self._text.bound.get(root, set())
            target = next(iter(bound)) if len(bound) == 1 else None
            if target is None:
                return ""
            name = f"{target.name}{dot}{rest}"
            if target.is_imported:
                return _full(name)
        return ""

    # models

    def _of_model(self, receiver: str, method: str, node: ast.Call) -> tuple[str, str]:
        """Return how to display the call to a model's method, and the error that it raises; both are empty if there is none."""
        name = f"tf.keras.Model.{method}"
        if name in advice.REFUSED:
            return f"{receiver}.{method}", advice.REFUSED[name]
        if method in ("load_weights", "save_weights"):
            path = next(
                (each.value for each in node.args[:1] if isinstance(each, ast.Constant)), None
            )
            if isinstance(path, str) and not path.endswith(_WEIGHTS_ENDING):
                return f"{receiver}.{method}({path!r})", "ValueError"
            return "", ""
        is_known = name in advice.VERSION_1 or table.find(name) is not None
        if is_known and not hasattr(import_module("minitape").keras.Model, method):
            return f"{receiver}.{method}", "AttributeError"
        return "", ""

    def _is_model(self, name: str, scope: str, depth: int = 0) -> bool:
        """Whether a variable, or an attribute such as `self.model`, plausibly holds a Keras model."""
        is_local = name.partition(".")[0] in self._text.local[scope]
        key = name, scope if is_local else ""
        if key not in self._models:
            # avoids an endless recursion for a name that is defined in terms of itself
            self._models[key] = False
            self._models[key] = self._holds_model(*key, depth)
        return self._models[key]

    def _holds_model(self, name: str, scope: str, depth: int) -> bool:
        root = name.partition(".")[0]
        if any(each is not None and each.is_imported for each in self._text.bound.get(root, ())):
            return False

        all_made, all_read = self._text.made.get(name, {}), self._text.attributes.get(name, {})
        scopes = [scope]
        if not scope:  # functions share the variables of the module
            scopes = [
                each
                for each in {*all_made, *all_read}
                if root not in self._text.local[each] or not each
            ]
        made = [
            self._makes_model(call, depth) for each in scopes for call in all_made.get(each, ())
        ]
        read = {attribute for each in scopes for attribute in all_read.get(each, ())}
        return False not in made and (True in made or not _OF_A_MODEL.isdisjoint(read))

    def _makes_model(self, called: str, depth: int) -> bool | None:
        """Whether a call returns a Keras model; None if the text does not say so."""
        if called not in self._makers:
            self._makers[called] = None
            self._makers[called] = self._returns_model(called, depth)
        return self._makers[called]

    def _returns_model(self, called: str, depth: int) -> bool | None:
        full = self._full(called)
        if full.startswith("tf."):
            return full in _MODELS
        if depth == _MOST_ALIASES:
            return None
        if called in self._text.bases:
            bases = self._text.bases[called]
            return any(self._makes_model(each, depth + 1) for each in bases)
        for scope, each in self._text.returned.get(called, ()):
            if self._makes_model(each, depth + 1) or self._is_model(each, scope, depth + 1):
                return True
        return None


@cache
def _lacking(name: str) -> str:
    """Return the shortest prefix of a full name that minitape lacks; empty if it has the whole name or that is unknown."""
    top, _, rest = name.partition(".")
    if top != "tf":
        return ""
    found: Any = import_module("minitape")
    so_far = "tf"
    for part in filter(None, rest.split(".")):
        if part.startswith("_") or not (isinstance(found, ModuleType) or isclass(found)):
            return ""
        so_far = f"{so_far}.{part}"
        try:
            found = _member(found, part)
        except AttributeError:
            is_known = (
                isinstance(found, ModuleType)
                or so_far in advice.VERSION_1
                or table.find(so_far) is not None
            )
            return so_far if is_known else ""
    return ""


def _member(found: Any, part: str) -> Any:
    try:
        return getattr(found, part)
    except AttributeError:
        if isinstance(found, ModuleType):
            with suppress(ImportError):
                return import_module(f"{found.__name__}.{part}")
        raise
    except ImportError:  # the name exists, but a package that it needs is not installed
        return None
