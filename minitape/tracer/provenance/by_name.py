"""Traces a plain number through the names of the program: the heuristic if no mark survived.

Python's own floats carry no mark through arithmetic: `total += float(loss)` creates a new float. But the program's text shows
that `total` was computed from a value that left the engine there. So each exit is noted under the names that its statement
assigns. A number of unknown origin is then traced through the names in its text, and through the names from which those were
computed. This is a heuristic, and the trace labels it as a heuristic.

A number that only makes a selection, such as an index or the probabilities of a random draw, has a derivative of 0 or none. Its
exit gets a minus sign, like the marks of `by_mark`.
"""

import ast
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from minitape.source_text import children, located, parsed, tree_of, walk
from minitape.tracer.source import CallSite, unparsed

# The maximum number of exits of a name, which collects those of several iterations.
_KEPT = 64
# The maximum number of values that one call converts.
_TOGETHER = 8
_INNER = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<lambda>")
# The name of a function's return value in the scope of the function.
_GIVEN = "<given>"
_FILLING = ("add", "append", "extend", "insert")
# The length and type of a container do not depend on the numbers in it.
_BLIND = {"len", "range", "enumerate", "isinstance", "type", "id", "print"}
# Functions that use numbers only to select: an index, an order, or a random draw.
_CHOOSING = {
    "argmax", "argmin", "argpartition", "argsort", "argwhere", "bernoulli", "binomial", "bisect", "categorical", "choice",
    "choices", "digitize", "flatnonzero", "multinomial", "nonzero", "poisson", "randint", "randrange", "sample", "searchsorted",
}  # fmt: skip


class NameProvenance:
    """For each function, the names to which values that left the engine were assigned."""

    def __init__(self) -> None:
        self._exits: dict[tuple[str, str], deque[int]] = defaultdict(lambda: deque(maxlen=_KEPT))
        # The exits of the last execution of each expression: `rng.normal(mu, sigma)` has two.
        self._by_text: dict[str, dict[str, list[int]]] = defaultdict(dict)
        self._came_back: set[tuple[str, str]] = set()  # whose next execution has new exits
        self._called: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._programs: dict[str, None] = {}  # the texts of the files with exits

    def note(
        self,
        sites: Iterable[CallSite],
        export: int,
        stack: Sequence[CallSite] = (),
        program: str = "",
    ) -> None:
        """Record that the value of an export left the engine in the statements at these locations, which call one another.

        Args:
            sites: The locations.
            export: The number of the export.
            stack: All locations on the stack, the innermost last. An object is called by its name, `model(x)`, and the code
                that runs is the method `call` of its class.
            program: The text of the innermost location's file.
        """
        self._programs[program] = None
        for caller, site in pairwise(stack):
            called, scope = caller.node, _scope(site.func)
            if isinstance(called, ast.Call):
                for name in _base_names(called.func):
                    if name.lstrip(".") != scope.rpartition(".")[2]:
                        self._called[_key(_scope(caller.func), name)].add(scope)
        for site in sites:
            if site.is_compared:
                return  # the result of a comparison has no derivative that could be lost
            if export > 0 and _only_chooses(site.statement, site.node):
                export = -export
            scope = _scope(site.func)
            if site.expr:
                self._note_text(scope, site.expr, export)
            if gives_to_caller(site.statement):
                self._exits["<module>", scope.rpartition(".")[2]].append(export)
                self._exits[_GIVEN, scope].append(export)
            names = names_given_by(site.statement)
            if scope.endswith(".__init__") and any(name.startswith(".") for name in names):
                self._exits[_GIVEN, scope].append(export)  # the new object keeps the value
            for name in names:
                self._exits[_key(scope, name)].append(export)

    def _note_text(self, scope: str, text: str, export: int) -> None:
        known = self._by_text[scope].setdefault(text, [])
        if (scope, text) in self._came_back or len(known) == _TOGETHER:
            self._came_back.discard((scope, text))
            known.clear()
        known.append(export)

    def exits_of(self, text: str, sites: list[CallSite], program: str) -> frozenset[int]:
        """Return the exits through which the value of the expression `text` may have come.

        An exit has a minus sign if the value that left there was used only for a selection.

        Args:
            text: The expression at the innermost location.
            sites: All locations on the stack, the innermost last.
            program: The text of the innermost location's file.
        """
        if not self._exits or not sites:
            return frozenset()
        scope = _scope(sites[-1].func)
        names = _names_in(text)
        given = _given_for(sites, program) if names else {}
        # A helper in another file fills an array and returns it.
        origins = [_origins(each) for each in dict.fromkeys((program, *self._programs))]
        seen = set()
        by_text = self._by_text.get(scope)
        written = _expressions_in(text) & by_text.keys() if by_text else frozenset[str]()
        found = {export for each in written for export in (by_text or {})[each]}
        self._came_back.update((scope, each) for each in written)
        waiting = [(scope, name, chooses) for name, chooses in names]
        while waiting:
            here, name, chooses = waiting.pop()
            if (here, name, chooses) in seen:
                continue
            seen.add((here, name, chooses))
            before: list[_Read] = list(given.get((here, name), ()))
            for key in {_key(here, name), ("<module>", name)}:
                exits = self._exits.get(key, ())
                found.update([-abs(each) for each in exits] if chooses else exits)
                for of_file in origins:
                    for made_from in of_file.get(key, ()):
                        before.extend(_read_in(*made_from))
                before.extend((_GIVEN, each, False) for each in self._called.get(key, ()))
            waiting.extend((scope, name, chooses or chose) for scope, name, chose in before)
        return frozenset(each for each in found if each > 0 or -each not in found)


def gives_to_caller(statement: ast.AST | None) -> bool:
    """Whether a statement returns its value to the caller: `return x`, `yield x`, `yield from x`."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Yield | ast.YieldFrom)
    return isinstance(statement, ast.Return)


@lru_cache(maxsize=4096)  # called for each value that leaves the engine
def names_given_by(statement: ast.AST | None) -> frozenset[str]:
    """Return the names that a statement assigns, or in which it stores a value."""
    if isinstance(statement, ast.While | ast.If):
        walruses = [each for each in ast.walk(statement.test) if isinstance(each, ast.NamedExpr)]
        return frozenset(each.target.id for each in walruses)
    if isinstance(statement, ast.Assign):
        return frozenset(name for goal in statement.targets for name in _base_names(goal))
    if isinstance(statement, ast.AugAssign | ast.AnnAssign):
        return frozenset(_base_names(statement.target))
    if isinstance(statement, ast.For):
        return frozenset(_named_by_loop(statement))
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return frozenset(_filled_by(statement.value))
    return frozenset()


def _named_by_loop(loop: ast.For) -> set[str]:
    """Return the names of the elements that a loop iterates over, without indices: only x for `i, x in enumerate(values)`."""
    match loop.target, loop.iter:
        case _, ast.Call(func=ast.Name("range")):
            return set()
        case ast.Tuple(elts=[_, *taken]), ast.Call(func=ast.Name("enumerate")):
            return {name for each in taken for name in _base_names(each)}
    return _base_names(loop.target)


def _key(scope: str, name: str) -> tuple[str, str]:
    """Return the key of a name: attributes (`.total`) are valid everywhere, other names only in their function."""
    return ("<module>", name) if name.startswith(".") else (scope, name)


def _scope(function: str) -> str:
    """Return the function whose names a piece of code uses; a comprehension uses the names of its surrounding function."""
    parts = function.split(".<locals>.")
    while len(parts) > 1 and parts[-1] in _INNER:
        parts.pop()
    return "<module>" if parts[0] in _INNER else ".<locals>.".join(parts)


def _filled_by(call: ast.Call) -> set[str]:
    """Return the object in which a call statement stores values: an `out=` argument, a container, or NumPy's first argument."""
    for given in call.keywords:
        if given.arg == "out":
            return _base_names(given.value)
    called = call.func
    if isinstance(called, ast.Attribute) and called.attr in _FILLING:
        return _base_names(called.value)
    if unparsed(called).startswith(("np.", "numpy.")) and call.args:
        return _base_names(call.args[0])
    return set()


def _base_names(goal: ast.AST) -> set[str]:
    """Return the base names of an expression: `x`, `x[i]` and `x.y` all belong to x; `self.y` belongs to y."""
    if isinstance(goal, ast.Name):
        return {goal.id}
    if isinstance(goal, ast.Attribute):
        return {f".{goal.attr}"}
    if isinstance(goal, ast.Subscript | ast.Starred):
        return _base_names(goal.value)
    if isinstance(goal, ast.Tuple | ast.List):
        return {name for each in goal.elts for name in _base_names(each)}
    return set()


@lru_cache(maxsize=4096)
def _expressions_in(text: str) -> frozenset[str]:
    """Return all subexpressions of an expression, as they are written."""
    try:
        tree = tree_of(text.strip())
    except SyntaxError:
        return frozenset()
    within = located(text.strip())
    return frozenset(within.segment(each) for each in walk(tree) if isinstance(each, ast.expr))


def _only_chooses(statement: ast.AST | None, node: ast.AST | None) -> bool:
    """Whether a statement uses the value of one of its expressions only for a selection."""
    waiting = [] if statement is None or node is None else [(statement, False)]
    while waiting:
        each, chooses = waiting.pop()
        if each is node:
            return chooses
        waiting.extend((child, chooses or _chooses(each, child)) for child in children(each))
    return False


def _chooses(node: ast.AST, child: ast.AST) -> bool:
    """Whether a part of an expression only selects the value of the whole expression."""
    if isinstance(node, ast.Subscript):
        return child is node.slice
    if isinstance(node, ast.IfExp):
        return child is node.test
    if isinstance(node, ast.Call):
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        # In `values.argmax()` the array is part of the function expression.
        return name in _CHOOSING
    return False


@lru_cache(maxsize=4096)
def _names_in(text: str) -> frozenset[tuple[str, bool]]:
    """Return the names that an expression reads, and for each whether it only selects the value."""
    try:
        return frozenset(_names_read(tree_of(text.strip())))
    except SyntaxError:
        return frozenset()


def _names_read(tree: ast.AST) -> set[tuple[str, bool]]:
    names: set[tuple[str, bool]] = set()
    waiting = [(tree, False)]
    while waiting:
        node, chooses = waiting.pop()
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in _BLIND
        ):
            continue
        if isinstance(node, ast.Name):
            names.add((node.id, chooses))
        elif isinstance(node, ast.Attribute):
            names.add((f".{node.attr}", chooses))
        waiting.extend((child, chooses or _chooses(node, child)) for child in children(node))
    return names


_Name = tuple[str, str]  # the scope and the name
_Read = tuple[str, str, bool]  # the scope, the name, and whether it only selects


@lru_cache(maxsize=32)
def _origins(program: str) -> dict[_Name, list[tuple[str, ast.AST]]]:
    """Return, for each name in each function, the expressions in that function from which it is computed, with their scopes.

    The name of a function, which its callers write, represents its return value.
    """
    found: dict[_Name, list[tuple[str, ast.AST]]] = defaultdict(list)
    for scope, statement in _statements(program):
        for iteration in _comprehended(statement):
            for taken in _base_names(iteration.target):
                found[_key(scope, taken)].append((scope, iteration.iter))
        value = (
            statement.iter if isinstance(statement, ast.For) else getattr(statement, "value", None)
        )
        if value is None or isinstance(value, ast.Constant):
            continue
        if isinstance(statement, ast.For):
            names = {_key(scope, name) for name in _base_names(statement.target)}
        elif gives_to_caller(statement):
            function = scope.rpartition(".")[2]
            names = {("<module>", function), ("<module>", f".{function}"), (_GIVEN, scope)}
        else:
            names = {_key(scope, name) for name in names_given_by(statement)}
        for name in names:
            found[name].append((scope, value))
    return found


@lru_cache(maxsize=4096)
def _read_in(scope: str, expression: ast.AST) -> frozenset[_Read]:
    """Return the names that an expression in a scope reads."""
    return frozenset([(*_key(scope, name), chooses) for name, chooses in _names_read(expression)])


def _comprehended(statement: ast.stmt) -> Iterator[ast.comprehension]:
    """Yield the iterables of the comprehensions in a statement; the statements in its body have their own."""
    value = getattr(statement, "value", None)
    if not hasattr(statement, "body") and not isinstance(value, ast.Constant | ast.Name):
        for node in walk(statement):
            if isinstance(node, ast.comprehension):
                yield node


@lru_cache(maxsize=32)
def _statements(program: str) -> tuple[tuple[str, ast.stmt], ...]:
    try:
        tree = parsed(program)
    except SyntaxError:
        return ()
    found: list[tuple[str, ast.stmt]] = []
    waiting: list[tuple[ast.AST, str]] = [(tree, "<module>")]
    while waiting:
        node, scope = waiting.pop()
        for child in _blocks(node):
            inner = scope
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                inner = _inside(scope, child.name, isinstance(node, ast.FunctionDef))
            elif isinstance(child, ast.stmt):
                found.append((scope, child))
            if hasattr(child, "body") or isinstance(child, ast.Match):
                waiting.append((child, inner))
    return tuple(found)


def _blocks(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the blocks of a statement: statements, and handlers and cases with blocks of their own."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        found = getattr(node, name, None)
        if isinstance(found, list):
            yield from found


def _inside(scope: str, name: str, in_function: bool) -> str:
    if scope == "<module>":
        return name
    return f"{scope}.<locals>.{name}" if in_function else f"{scope}.{name}"


def _given_for(sites: list[CallSite], program: str) -> dict[_Name, set[_Read]]:
    """Return the names in the callers' arguments, for each parameter of the running functions."""
    given: dict[_Name, set[_Read]] = defaultdict(set)
    for caller, site in pairwise(sites):
        if not isinstance(caller.node, ast.Call):
            continue
        here, scope = _scope(caller.func), _scope(site.func)
        names = _parameters(program, scope.rpartition(".")[2])
        pairs = [*zip(names, caller.node.args)]
        pairs += [(each.arg, each.value) for each in caller.node.keywords if each.arg in names]
        for name, written in pairs:
            given[scope, name] |= _read_in(here, written)
    return given


@lru_cache(maxsize=128)
def _parameters(program: str, function: str) -> tuple[str, ...]:
    """Return the parameters of a function of this name, in order, without `self`."""
    for each in _functions(program):
        if each.name == function:
            return tuple([given.arg for given in each.args.args if given.arg != "self"])
    return ()


@lru_cache(maxsize=32)
def _functions(program: str) -> tuple[ast.FunctionDef, ...]:
    try:
        tree = parsed(program)
    except SyntaxError:
        return ()
    return tuple([each for each in walk(tree) if isinstance(each, ast.FunctionDef)])
