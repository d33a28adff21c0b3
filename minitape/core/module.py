"""A Module is an object that finds its own variables.

Source: https://www.tensorflow.org/api_docs/python/tf/Module
"""

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from minitape.core.naming import name_scope
from minitape.core.variable import Variable
from minitape.errors import TapeValueError
from minitape.unsupported.attribute_errors import HelpfulAttributes


class Module(HelpfulAttributes):
    """Base class of objects that have variables as attributes, also in submodules, lists, tuples and dicts.

    Args:
        name: The name; by default the class name in snake_case.

    Raises:
        ValueError: `name` is not a Python identifier.

    Source: https://www.tensorflow.org/api_docs/python/tf/Module
    """

    _module_name: str | None = None
    _module_scope: str | None = None

    def __init__(self, name: str | None = None) -> None:
        if name is not None and not name.isidentifier():
            suggested = re.sub(r"\W", "_", name)
            raise TapeValueError(
                f"{name!r} is not a valid module name, because it is not a Python identifier.",
                fix=f"pass `name={suggested!r}`",
            )
        self._module_name = name
        with name_scope(self.name) as scope:
            self._module_scope = scope

    @property
    def name(self) -> str:
        return self._module_name or _snake_case(type(self).__name__)

    @property
    def name_scope(self) -> name_scope:
        """The name scope of this module; variables created in it get the name of the module as a prefix."""
        return name_scope(self._module_scope or self.name + "/")

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables, each listed once.

        First come the variables in attributes of this module, sorted by name, then the variables of the submodules.
        """
        return tuple(_found(self, Variable))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        return tuple(variable for variable in self.variables if variable.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        return tuple(variable for variable in self.variables if not variable.trainable)

    @property
    def submodules(self) -> tuple["Module", ...]:
        return tuple(_found(self, Module))

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate a method so that variables created in it get the name of the module as a prefix."""

        @functools.wraps(method)
        def named(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return named


def _found(module: Module, kind: type, seen: set[int] | None = None) -> Iterator[Any]:
    """Yield the objects that the module holds directly, then the objects of each submodule, as TensorFlow orders them."""
    seen = {id(module)} if seen is None else seen
    submodules = []
    for leaf in _attributes(module):
        if id(leaf) in seen:
            continue
        seen.add(id(leaf))
        if isinstance(leaf, kind):
            yield leaf
        if isinstance(leaf, Module):
            submodules.append(leaf)
    for submodule in submodules:
        yield from _found(submodule, kind, seen)


def _attributes(module: Module) -> Iterator[Any]:
    for key in sorted(vars(module)):
        yield from _leaves(vars(module)[key])


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for key in sorted(value, key=str):
            yield from _leaves(value[key])
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _leaves(entry)
    elif isinstance(value, Variable | Module):
        yield value


def _snake_case(name: str) -> str:
    # A word begins at a capital letter after a lowercase letter or digit, and at one before a lowercase letter.
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])", "_", name).lower()
