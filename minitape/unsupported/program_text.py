"""The names in the text of a program, read from its syntax tree without running it.

    ProgramText     the bindings, the dotted names, the calls and the imports of a file
    Use             a dotted name, and its location
    Target          what a name is bound to

A name is omitted if the program may never reach it, as in the branches of `if` and in a `try` with a handler. The reader visits
each node once. It uses a stack of its own instead of recursion, because a tree may be deep.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_EXPECTS_ERROR = {"assertRaises", "assertRaisesRegex", "raises", "suppress"}


class EnclosingFunction(NamedTuple):
    """A function that contains a name; `of` is the class if the function is a method."""

    name: str
    of: str


class Use(NamedTuple):
    """A dotted name in the text, with the functions that contain it and the scope of its variable."""

    name: str
    file: str
    line: int
    owners: tuple[EnclosingFunction, ...]
    scope: str


class Target(NamedTuple):
    """What a name is bound to: the full name of an imported object, or another dotted name of the program."""

    name: str
    is_imported: bool


class ProgramText:
    """The names in a file, or in all cells of a notebook.

    Args:
        trees: The file name and the tree of each part.
        is_main: Whether it runs as `__main__`.
    """

    def __init__(self, trees: Sequence[tuple[str, ast.Module]], *, is_main: bool) -> None:
        self.bound: dict[str, set[Target | None]] = defaultdict(set)  # None: to something else
        self.local: dict[str, set[str]] = defaultdict(set)  # the names that each scope binds
        # For each variable and scope: the calls that create its value, and the attributes that are read from it.
        self.made: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self.attributes: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        # For each function: its scope, and the names that its `return` statements return or call.
        self.returned: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self.bases: dict[str, list[str]] = {}  # of the classes
        self.methods: set[str] = set()
        self.read: set[str] = set()  # all names and attributes
        self.stored: set[str] = set()  # dotted names that the program assigns to
        self.dotted: list[Use] = []
        self.calls: list[tuple[Use, ast.Call]] = []
        self.imports: list[tuple[Use, ast.Import | ast.ImportFrom]] = []
        for name, tree in trees:
            _Reader(self, name, is_main=is_main).read(tree)


class _Where(NamedTuple):
    """The location of a node: in the body of the class `inside`, in the function `scope`, which is a method of `of_class`."""

    may_not_run: bool = False
    owners: tuple[EnclosingFunction, ...] = ()
    inside: str = ""
    scope: str = ""
    of_class: str = ""

    def scope_of(self, name: str) -> str:
        """Return the scope of a name; the methods of a class share a scope for the attributes of `self`."""
        return self.of_class if name.startswith("self.") and self.of_class else self.scope

    def unless(self, may_not_run: bool) -> _Where:
        return self._replace(may_not_run=self.may_not_run or may_not_run)


class _Reader:
    def __init__(self, text: ProgramText, file: str, *, is_main: bool) -> None:
        self._text = text
        self._file = file
        self._is_main = is_main
        self._waiting: list[tuple[ast.AST, _Where]] = []
        self._shared: list[tuple[str, list[str]]] = []  # names that a scope declares `global`

    def read(self, tree: ast.Module) -> None:
        self._later([tree], _Where())
        while self._waiting:
            node, where = self._waiting.pop()
            visit = getattr(self, f"_{type(node).__name__.lower()}", self._children)
            visit(node, where)
        for scope, names in self._shared:
            self._text.local[scope].difference_update(names)

    def _later(self, nodes: Iterable[ast.AST | None], where: _Where) -> None:
        self._waiting += [(node, where) for node in nodes if node is not None]

    def _children(self, node: ast.AST, where: _Where) -> None:
        self._later(ast.iter_child_nodes(node), where)

    # --- code that may not run ---

    def _if(self, node: ast.If, where: _Where) -> None:
        test = node.test
        names_main = isinstance(test, ast.Compare) and dotted(test.left) == "__name__"
        runs = names_main and self._is_main
        self._later([test], where)
        self._later([*node.body, *node.orelse], where.unless(not runs))

    def _ifexp(self, node: ast.IfExp, where: _Where) -> None:
        self._later([node.test], where)
        self._later([node.body, node.orelse], where.unless(True))

    def _boolop(self, node: ast.BoolOp, where: _Where) -> None:
        self._later(node.values[:1], where)
        self._later(node.values[1:], where.unless(True))

    def _try(self, node: ast.Try, where: _Where) -> None:
        guarded = where.unless(bool(node.handlers))
        self._later([*node.body, *node.handlers, *node.orelse], guarded)
        self._later(node.finalbody, where)

    _trystar = _try

    def _with(self, node: ast.With | ast.AsyncWith, where: _Where) -> None:
        opened = [each.context_expr for each in node.items]
        called = [dotted(each.func) for each in opened if isinstance(each, ast.Call)]
        expects_error = any(each.rpartition(".")[2] in _EXPECTS_ERROR for each in called)
        self._later(node.items, where)
        self._later(node.body, where.unless(expects_error))

    _asyncwith = _with

    def _match_case(self, node: ast.AST, where: _Where) -> None:
        self._later(ast.iter_child_nodes(node), where.unless(True))

    # --- definitions ---

    def _functiondef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, where: _Where) -> None:
        self._bind(node.name, None, where)
        if where.inside:
            self._text.methods.add(node.name)
        self._later(node.decorator_list, where)
        scope, of_class = f"{node.name}:{node.lineno}", where.inside or where.of_class
        self._text.local[of_class].add("self")
        self._arguments(node.args, where, scope)
        owner = EnclosingFunction(node.name, where.inside)
        # A decorator may keep the function and call it.
        owners = where.owners if node.decorator_list else (*where.owners, owner)
        self._later(node.body, _Where(where.may_not_run, owners, "", scope, of_class))
        for each in node.body:
            if isinstance(each, ast.Return) and each.value is not None:
                value = each.value
                called = value.func if isinstance(value, ast.Call) else value
                self._text.returned[node.name].append((scope, dotted(called)))

    _asyncfunctiondef = _functiondef

    def _lambda(self, node: ast.Lambda, where: _Where) -> None:
        self._arguments(node.args, where, where.scope)
        self._later([node.body], where)

    def _arguments(self, node: ast.arguments, where: _Where, scope: str) -> None:
        """Return the arguments without annotations, which may never be evaluated."""
        for each in (*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg):
            if each is not None:
                self._bind(each.arg, None, where._replace(scope=scope))
        self._later([*node.defaults, *node.kw_defaults], where)

    def _classdef(self, node: ast.ClassDef, where: _Where) -> None:
        self._bind(node.name, None, where)
        self._text.bases[node.name] = [dotted(each) for each in node.bases]
        self._later([*node.decorator_list, *node.bases, *node.keywords], where)
        self._later(node.body, where._replace(inside=node.name))

    # --- names ---

    def _import(self, node: ast.Import, where: _Where) -> None:
        for each in node.names:
            top = each.name.partition(".")[0]
            target = Target(each.name if each.asname else top, True)
            self._bind(each.asname or top, target, where)
            self._imported(each.name, node, where)

    def _importfrom(self, node: ast.ImportFrom, where: _Where) -> None:
        for each in node.names:
            name = f"{node.module or ''}.{each.name}".strip(".")
            if each.name == "*":
                self._imported(node.module or "", node, where)
            else:
                target = None if node.level else Target(name, True)
                self._bind(each.asname or each.name, target, where)
                self._imported(name, node, where)

    def _imported(self, name: str, node: ast.Import | ast.ImportFrom, where: _Where) -> None:
        if not where.may_not_run:
            use = Use(name, self._file, node.lineno, where.owners, "")
            self._text.imports.append((use, node))

    def _assign(self, node: ast.Assign, where: _Where) -> None:
        for target in node.targets:
            self._assigned(target, node.value, where)
        self._later([node.value], where)

    def _annassign(self, node: ast.AnnAssign, where: _Where) -> None:
        if node.value is not None:
            self._assigned(node.target, node.value, where)
            self._later([node.value], where)

    def _assigned(self, target: ast.expr, value: ast.expr, where: _Where) -> None:
        if isinstance(value, ast.Call):
            name = dotted(target)
            self._text.made[name][where.scope_of(name)].append(dotted(value.func))
        if isinstance(target, ast.Name):
            name = dotted(value)
            self._bind(target.id, Target(name, False) if name else None, where)
        else:
            self._later([target], where)

    def _name(self, node: ast.Name, where: _Where) -> None:
        if isinstance(node.ctx, ast.Load):
            self._text.read.add(node.id)
        else:
            self._bind(node.id, None, where)

    def _global(self, node: ast.Global, where: _Where) -> None:
        self._shared.append((where.scope, node.names))

    def _attribute(self, node: ast.Attribute, where: _Where) -> None:
        self._text.read.add(node.attr)
        name = dotted(node)
        if not name:
            self._later([node.value], where)
            return
        self._text.read.update(name.split("."))
        if not isinstance(node.ctx, ast.Load):
            self._text.stored.add(name)
            return
        scope = where.scope_of(name)
        self._text.attributes[name.rpartition(".")[0]][scope].add(node.attr)
        if not where.may_not_run:
            self._text.dotted.append(Use(name, self._file, _line(node), where.owners, scope))

    def _call(self, node: ast.Call, where: _Where) -> None:
        name = dotted(node.func)
        if name and not where.may_not_run:
            use = Use(name, self._file, _line(node.func), where.owners, where.scope_of(name))
            self._text.calls.append((use, node))
        self._children(node, where)

    def _excepthandler(self, node: ast.ExceptHandler, where: _Where) -> None:
        if node.name:
            self._bind(node.name, None, where)
        self._children(node, where)

    def _bind(self, name: str, to: Target | None, where: _Where) -> None:
        self._text.bound[name].add(to)
        self._text.local[where.scope].add(name)


def dotted(node: ast.AST) -> str:
    """Return `tf.nn.relu` for a name with attributes; empty for any other expression."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _line(node: ast.expr) -> int:
    """Return the line of the last name in a chain over several lines."""
    return node.end_lineno or node.lineno
