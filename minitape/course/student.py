"""The objects that a check can use: the student's program after its end, and random numbers.

    Student    the names of a program, its text, and the functions of the lesson's checks.py
    Draw       random numbers, which are the same for the same seed
    Point      how an argument of a function is drawn
    assigned   the values that a program assigns to a name
    called     calls a student's function; an exception becomes a failed check

This module runs in the student's process.
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
from minitape.course import messages
from minitape.course.failing import Failed

_LETTERS = 90  # the maximum length of a value in a message


class Point(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How an argument of a function is drawn: its shape, its range, and its type."""

    shape: tuple[int, ...] = ()
    low: float = -2.0
    high: float = 2.0
    whole: bool = False
    variable: bool = False


class Draw:
    """The random numbers of one check in one run.

    Args:
        seed: The seed of the run and the number of the check in it.
    """

    def __init__(self, *seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def uniform(self, shape: Sequence[int] = (), low: float = -2.0, high: float = 2.0) -> Array:
        """Return numbers between `low` and `high` as a float32 array; for the shape () a Python float."""
        drawn = self._rng.uniform(low, high, tuple(shape)).astype(np.float32)
        return drawn if shape else float(drawn)

    def whole(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, inclusive."""
        return int(self._rng.integers(low, high, endpoint=True))

    def tensor(self, shape: Sequence[int] = (), low: float = -2.0, high: float = 2.0) -> Tensor:
        """Return numbers between `low` and `high` as a float32 tensor."""
        return constant(self.uniform(shape, low, high))

    def point(self, point: Point) -> Tensor | Variable:
        """Return an argument as lesson.toml describes it: a float32 tensor or variable."""
        drawn = np.asarray(self.uniform(point.shape, point.low, point.high), np.float32)
        value = constant(np.round(drawn) if point.whole else drawn)
        return Variable(value) if point.variable else value


class Student:
    """A program after its end; its names are attributes.

    Args:
        names: The names in `__main__` at the end of the program.
        texts: The text of the script, or one text for each cell of a notebook.
        page: The path of the lesson's checks.py, if there is one.
        taken: Names that the block assigns although the lines before it define them.
        restore_error: The exception that the program raised when the original lines outside the block were restored.
    """

    def __init__(
        self,
        names: Mapping[str, Any],
        texts: Sequence[str],
        page: str | None,
        taken: Sequence[str] = (),
        restore_error: BaseException | None = None,
    ) -> None:
        self._names = dict(names)
        self._texts = texts
        self._page = page
        self._taken = taken
        self._restore_error = restore_error

    def require_restored(self) -> None:
        """Check that the block works with the original lines around it.

        Raises:
            Failed: it raises an exception with them, or it assigns a name that they define.
        """
        if self._taken:
            names = ", ".join(f"`{each}`" for each in self._taken)
            raise Failed(messages.NAME_TAKEN.format(names=names), messages.OTHER_NAME)
        if self._restore_error is not None:
            said = f"{type(self._restore_error).__name__}: {self._restore_error}".partition("\n")[0]
            raise Failed(messages.UNRESTORED.format(error=said), messages.INSIDE_ONLY)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in self._names:
            return self._names[name]
        near = difflib.get_close_matches(name, self._names, n=1)
        raise Failed(
            messages.NO_NAME.format(name=name),
            messages.NAMED_OTHERWISE.format(near=near[0], name=name)
            if near
            else messages.DEFINE_NAME.format(name=name),
        )

    @property
    def names(self) -> dict[str, Any]:
        """The names in `__main__` at the end of the program."""
        return self._names

    def literal(self, name: str) -> Any:
        """Return the value that the text of the program assigns to a name, if the value is typed out as a literal.

        Args:
            name: The name of a variable of the module.

        Returns:
            A number, a string, None, True, False, or a list, tuple or dict of these.

        Raises:
            Failed: the name has no value, or its value is computed.
        """
        given = [value for tree in self.trees for value in assigned(tree, name)]
        if not given:
            raise Failed(messages.NO_VALUE.format(name=name), messages.GIVE_VALUE.format(name=name))
        try:
            value = ast.literal_eval(given[-1])
        except ValueError:
            raise Failed(
                messages.IS_COMPUTED.format(name=name, code=ast.unparse(given[-1])),
                messages.TYPE_VALUE.format(name=name),
            ) from None
        if value is Ellipsis:
            raise Failed(messages.STILL_OPEN.format(name=name), messages.FILL_IN)
        return value

    @cached_property
    def trees(self) -> list[ast.Module]:
        """The program, parsed."""
        return [ast.parse(text) for text in self._texts]

    @cached_property
    def checks(self) -> dict[str, Any]:
        """The namespace of the lesson's checks.py."""
        if self._page is None:
            return {}
        spec = importlib.util.spec_from_file_location("checks", self._page)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return vars(module)

    def wrote(self, file: str) -> bool:
        """Whether the student wrote a file; only checks.py was not written by the student."""
        return file != self._page


def assigned(tree: ast.Module, name: str) -> list[ast.expr]:
    """Return the values that statements at the top level assign to the name, in order."""
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
    """Return the result of a student's function.

    Args:
        function: The function.
        name: Its name in messages.
        args: Its arguments.

    Raises:
        Failed: the value is not a function, or calling it raised an exception.
    """
    if not callable(function):
        raise Failed(
            messages.NOT_A_FUNCTION.format(name=name, value=in_short(function)),
            messages.DEFINE_FUNCTION.format(name=name),
        )
    try:
        return function(*args)
    except Failed:
        raise
    except Exception as error:
        said = ": ".join(filter(None, (type(error).__name__, str(error).partition("\n")[0])))
        text = messages.CALL_RAISED.format(name=name, args=listed(args), error=said)
        raise Failed(text, _where(error)) from error


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "minitape" not in Path(frame.filename).parts]
    if not own:
        return messages.CALL_IT
    return messages.RAISED_AT.format(line=own[-1].lineno, code=own[-1].line)


# --- values in messages ---


def listed(values: Sequence[Any]) -> str:
    """Return the arguments of a call, in short form."""
    return ", ".join(map(in_short, values))


def in_short(value: Any) -> str:
    """Return a value in short form, with numbers in a readable notation."""
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
    """Return a value with tensors and arrays replaced by numbers and lists, even inside lists, tuples and dicts."""
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
