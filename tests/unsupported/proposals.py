"""What the errors suggest for the names that minitape does not have.

proposals    each suggestion, and the names for which it is made
is_lacking   whether minitape lacks a name of the table
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import minitape as tf
from minitape.unsupported import advice, table
from minitape.unsupported.messages import is_here, of_name

_FOREIGN = Path(__file__).with_name("foreign_names.txt")
_WITHOUT_PROPOSAL = ("run `minitape explain --on tensorflow", "call `sorted(dir(")


@cache
def proposals() -> dict[str, list[str]]:
    """Return the names that get each suggestion, by its first line, both sorted; names without a suggestion are omitted."""
    found = defaultdict(list)
    for name in sorted({*_of_tensorflow(), *_of_others()}):
        module = name.rpartition(".")[0]
        proposal = of_name(name, _public(module)).fix.partition("\n")[0]
        if not proposal.startswith(_WITHOUT_PROPOSAL):
            found[proposal].append(name)
    return dict(sorted(found.items()))


def is_lacking(entry: table.TensorFlowName) -> bool:
    """Whether minitape lacks the name."""
    module, _, last = entry.name.rpartition(".")
    if entry.kind == "attribute":
        return is_here(module) and not hasattr(_found(module), last)
    return not is_here(entry.name) and _found(entry.name) is None


def _of_tensorflow() -> Iterator[str]:
    yield from (entry.name for entry in table.each() if is_lacking(entry))
    yield from advice.VERSION_1
    yield from advice.REMOVED


def _of_others() -> Iterator[str]:
    """Return the names of other libraries that neither TensorFlow nor minitape has in a module with array functions."""
    words = [
        word
        for line in _FOREIGN.read_text(encoding="utf-8").splitlines()
        for word in line.split()
        if not line.startswith("#")
    ]
    for module in advice.MATH_MODULES:
        for word in words:
            name = f"{module}.{word}"
            if table.find(name) is None and _found(name) is None:
                yield name


def _found(name: str) -> Any:
    found: Any = tf
    for part in name.split(".")[1:]:
        try:
            found = getattr(found, part)
        except AttributeError:
            return None
    return found


def _public(module: str) -> list[str]:
    found = _found(module)
    return [
        each
        for each in dir(found)
        if not each.startswith("_") and not isinstance(vars(found).get(each), ModuleType)
    ]
