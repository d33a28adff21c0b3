"""Find the variables of objects, and their names in a checkpoint.

The name of a variable is the path to it: `net/l1/kernel` for `Checkpoint(net=net)` whose attribute `l1` has a `kernel`. If there
are several paths, it is the shortest, and of these the first in order. So a checkpoint fits every program whose objects have the
same structure, independent of the variables' own names.

Source: https://www.tensorflow.org/guide/checkpoint#loading_mechanics
"""

from collections.abc import Iterator, Mapping
from typing import Any

from minitape.core.module import Module
from minitape.core.variable import Variable

_LEAF = "/.ATTRIBUTES/VARIABLE_VALUE"  # as TensorFlow ends the name of a variable


def is_holder(thing: Any) -> bool:
    """Whether a checkpoint can contain an object: a variable, an object with variables, or a structure of them."""
    if isinstance(thing, list | tuple):
        return all(map(is_holder, thing))
    if isinstance(thing, Mapping):
        return all(map(is_holder, thing.values()))
    return isinstance(thing, Variable | Module) or hasattr(type(thing), "variables")


def variables_by_name(roots: Mapping[str, Any]) -> dict[str, Variable]:
    """Return all variables of the roots, each under one name."""
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
        yield from ((str(place), entry) for place, entry in enumerate(thing))
    elif hasattr(type(thing), "apply_gradients"):
        yield "_variables", thing.variables  # but not the variables that it trains
    elif is_holder(thing):
        # Public names before private ones: `kernel` before the list of a layer's weights.
        for name in sorted(vars(thing), key=lambda each: (each.startswith("_"), each)):
            if is_structure_or_holder(vars(thing)[name]):
                yield name, vars(thing)[name]


def is_structure_or_holder(thing: Any) -> bool:
    """Whether an object may contain variables."""
    return isinstance(thing, list | tuple | Mapping) or is_holder(thing)
