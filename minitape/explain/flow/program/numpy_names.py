"""Finds the names by which a program calls NumPy and `math`, from its imports.

numpy_names    the local names of a program, each with the standard name: `onp` → `np`, `square` → `np.square`
standard_name  the standard name of a called function: `onp.square` → `np.square`
"""

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import walk

Names = tuple[tuple[str, str], ...]

# An expression whose program is not known is read with these.
USUAL_NAMES: Names = (("np", "np"), ("numpy", "np"), ("math", "math"))
_MODULES = {"numpy": "np", "math": "math"}


@lru_cache(maxsize=32)
def numpy_names(program: str) -> Names:
    """Return the local names of NumPy, `math` and their functions in a program, each with the standard name."""
    return names_in_nodes(walk(tree_or_empty(program)))


def names_in_nodes(nodes: Iterable[ast.AST]) -> Names:
    """Return the same for the nodes of a program's tree."""
    names = dict(USUAL_NAMES)
    for node in nodes:
        for local, imported in _imports(node):
            module, _, rest = imported.partition(".")
            if module in _MODULES:
                names[local] = ".".join([_MODULES[module], rest]).rstrip(".")
    return tuple(names.items())


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield each name that an import statement binds, with the full name of what it refers to."""
    if isinstance(node, ast.Import):
        for each in node.names:
            yield (
                each.asname or each.name.partition(".")[0],
                (each.name if each.asname else each.name.partition(".")[0]),
            )
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        for each in node.names:
            yield each.asname or each.name, f"{node.module}.{each.name}"


def standard_name(called: str, names: Names = USUAL_NAMES) -> str:
    """Return the standard name of a called function; the name itself if NumPy and `math` do not have it."""
    head, dot, rest = called.partition(".")
    return f"{dict(names).get(head, head)}{dot}{rest}"
