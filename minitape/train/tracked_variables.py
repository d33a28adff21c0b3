"""Find the variables that an object holds, and their names in a checkpoint.

The name of a variable is the path of attributes to it, such as `net/l1/kernel` for `Checkpoint(net=net)` if `net.l1.kernel`
is a variable. Among several paths, the shortest is used; among several shortest paths, the first in order. A checkpoint
therefore fits every program whose objects are connected in the same way, regardless of the variables' own names.

Source: https://www.tensorflow.org/guide/checkpoint#loading_mechanics
"""

from collections.abc import Iterator, Mapping
from typing import Any

from minitape.core.module import Module
from minitape.core.variable import Variable

_LEAF = "/.ATTRIBUTES/VARIABLE_VALUE"  # TensorFlow's suffix for the name of a variable


def is_holder(thing: Any) -> bool:
    """Return whether a checkpoint can save an object: a variable, an object with variables, or a structure of such objects.

    Args:
        thing: The object.

    Returns:
        A bool.
    """
    if isinstance(thing, list | tuple):
        return all(map(is_holder, thing))
    if isinstance(thing, Mapping):
        return all(map(is_holder, thing.values()))
    return isinstance(thing, Variable | Module) or hasattr(type(thing), "variables")


def variables_by_name(roots: Mapping[str, Any]) -> dict[str, Variable]:
    """Return all variables that some objects hold, each under one name.

    Args:
        roots: The objects by name.

    Returns:
        A dict from names to variables.
    """
    found: dict[str, Variable] = {}
    seen: set[int] = set()
    level = sorted(roots.items())
    while level:
        below: list[tuple[str, Any]] = []
        for name, thing in level:
            if id(thing) in seen:
                continue
            seen.add(id(thing))
            if isinstance(thing, Variable):
                found[name + _LEAF] = thing
            else:
                below += [(f"{name}/{part}", held) for part, held in _held_by(thing)]
        level = below
    return found


def _held_by(thing: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(thing, Mapping):
        yield from ((str(key), thing[key]) for key in sorted(thing, key=str))
    elif isinstance(thing, list | tuple):
        yield from ((str(position), entry) for position, entry in enumerate(thing))
    elif hasattr(type(thing), "apply_gradients"):
        yield (
            "_variables",
            thing.variables,
        )  # only the optimizer's own state, not the variables that it trains
    elif is_holder(thing):
        # Public names come before private ones, so that `kernel` comes before the private list of a layer's weights.
        for name in sorted(vars(thing), key=lambda each: (each.startswith("_"), each)):
            if is_structure_or_holder(vars(thing)[name]):
                yield name, vars(thing)[name]


def is_structure_or_holder(thing: Any) -> bool:
    """Return whether an object may contain a variable.

    Args:
        thing: The object.

    Returns:
        A bool.
    """
    return isinstance(thing, list | tuple | Mapping) or is_holder(thing)
