"""What a check may ask: the student's program when it has come to its end, and numbers drawn anew in each run.

    Student    the names of a program, its text, and the functions of the lesson's checks.py
    Draw       random numbers, the same for the same seed
    Point      one argument of a function, as an author describes it
    called     a student's function, called: what it raises becomes an answer

It works in the student's process.
"""

from __future__ import annotations

import ast
import difflib
import importlib.util
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from minitape.core.convert import constant
from minitape.core.tensor import Tensor
from minitape.core.values import Array
from minitape.core.variable import Variable
from minitape.course.failing import Failed

_LETTERS = 90  # of a value that is told


class Point(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How one argument of a function is drawn: its shape, between which numbers, and as what."""

    shape: tuple[int, ...] = ()
    low: float = -2.0
    high: float = 2.0
    whole: bool = False
    variable: bool = False


class Draw:
    """Random numbers of one check in one run.

    Args:
        seed: Of the run, and of the check in it.
    """

    def __init__(self, *seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def uniform(self, shape: Sequence[int] = (), low: float = -2.0, high: float = 2.0) -> Array:
        """Numbers between `low` and `high`, as a float32 array; of shape () one number of Python's."""
        drawn = self._rng.uniform(low, high, tuple(shape)).astype(np.float32)
        return drawn if shape else float(drawn)

    def whole(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return int(self._rng.integers(low, high, endpoint=True))

    def tensor(self, shape: Sequence[int] = (), low: float = -2.0, high: float = 2.0) -> Tensor:
        """Numbers between `low` and `high` as a float32 tensor."""
        return constant(self.uniform(shape, low, high))

    def point(self, point: Point) -> Tensor | Variable:
        """An argument as an author describes it."""
        drawn = np.asarray(self.uniform(point.shape, point.low, point.high), np.float32)
        value = constant(np.round(drawn) if point.whole else drawn)
        return Variable(value) if point.variable else value


class Student:
    """A program that has come to its end; its names are attributes.

    Args:
        names: What the program has left in `__main__`.
        texts: What was run: one text, or one for each cell.
        page: The lesson's checks.py, if there is one.
    """

    def __init__(self, names: Mapping[str, Any], texts: Sequence[str], page: str | None) -> None:
        self._names = dict(names)
        self._texts = texts
        self._page = page

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in self._names:
            return self._names[name]
        near = difflib.get_close_matches(name, self._names, n=1)
        raise Failed(
            f"your file has no {name!r} when it ends.",
            f"is it {near[0]!r}? Give it the name {name!r}."
            if near
            else f"define {name!r} in the TODO block.",
        )

    @property
    def names(self) -> dict[str, Any]:
        """What the program has left."""
        return self._names

    def literal(self, name: str) -> Any:
        """What a name is given in the text, typed out: a number, a string, None, True, False, a list, tuple or dict of such.

        Raises:
            Failed: it is not given a value, or one that is computed.
        """
        given = [value for tree in self.trees for value in _given(tree, name)]
        if not given:
            raise Failed(
                f"{name} has no value in your file.", f"write {name} = ... with your answer"
            )
        try:
            value = ast.literal_eval(given[-1])
        except ValueError:
            raise Failed(
                f"{name} = {ast.unparse(given[-1])} is computed; this exercise asks what you expect before anything runs.",
                f"type your answer itself, such as {name} = 1.5",
            ) from None
        if value is Ellipsis:
            raise Failed(f"{name} is still open.", "write your answer in place of the dots")
        return value

    @cached_property
    def trees(self) -> list[ast.Module]:
        """The program, parsed."""
        return [ast.parse(text) for text in self._texts]

    @cached_property
    def checks(self) -> dict[str, Any]:
        """The names of the lesson's checks.py."""
        if self._page is None:
            return {}
        spec = importlib.util.spec_from_file_location("checks", self._page)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return vars(module)

    def wrote(self, file: str) -> bool:
        """Whether a file is the student's own, and not the lesson's checks."""
        return file != self._page


def _given(tree: ast.Module, name: str) -> list[ast.expr]:
    """What the name is given by the statements of the module itself, in order."""
    found = []
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        if any(isinstance(each, ast.Name) and each.id == name for each in targets):
            assert isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
            found.append(node.value)
    return found


def called(function: Callable[..., Any], name: str, args: Sequence[Any]) -> Any:
    """What a student's function returns.

    Raises:
        Failed: it is none, or it raises.
    """
    if not callable(function):
        raise Failed(
            f"{name} is {in_short(function)}, and no function.", f"define it with def {name}(...):"
        )
    try:
        return function(*args)
    except Failed:
        raise
    except Exception as error:
        said = ": ".join(filter(None, (type(error).__name__, str(error).partition("\n")[0])))
        raise Failed(f"{name}({listed(args)}) raised {said}", _where(error)) from error


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "minitape" not in Path(frame.filename).parts]
    return (
        f"line {own[-1].lineno}: {own[-1].line}" if own else "call it yourself with these arguments"
    )


# --- how numbers are told ---


def listed(values: Sequence[Any]) -> str:
    """Arguments as they are told."""
    return ", ".join(map(in_short, values))


def in_short(value: Any) -> str:
    """A value in a few letters: numbers as a person would write them."""
    text = _written(as_plain(value) if hasattr(value, "numpy") else value)
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 2]} …"


def _written(value: Any) -> str:
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float):
        return f"{value:.5g}"
    if isinstance(value, list | tuple):
        inside = ", ".join(map(_written, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    if callable(value):
        return f"the function {getattr(value, '__name__', '')}".rstrip()
    return repr(value)


def as_plain(value: Any) -> Any:
    """Tensors and arrays as numbers and lists, inside lists, tuples and dicts too."""
    if hasattr(value, "numpy"):
        value = value.numpy()
    if isinstance(value, np.ndarray | np.generic):
        return as_plain(value.tolist())
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, dict):
        return {key: as_plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(each) for each in value]
    return value
