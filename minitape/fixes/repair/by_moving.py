"""Rules that move statements, so that the tape of a call records them.

enclose          move statements next to the `with` into it, with all statements that depend on them
once_more        repeat, inside the `with`, a statement that another tape needs too
reopen           put statements after the `with` into a separate `with tape:`, in which the tape continues to record
around_loop      move a `with` from inside a loop to around the loop, so that one tape records all iterations
into_function    compute the argument of a function inside it
as_property      compute an attribute when it is read, instead of when the object is created
as_first_line    compute the default of a parameter in the function
without_memory   compute a result each time instead of caching it
"""

import ast
import copy
from dataclasses import replace

from minitape.fixes import fix_texts as texts
from minitape.fixes.text.syntax import (
    FixContext,
    Function,
    Level,
    bodies,
    covers,
    exchange,
    expressions_at,
    function_around,
    levels,
    names_in,
    placed,
    statement_at,
    statement_of,
    tape_block,
)
from minitape.templates import code

_STAYS = Function | ast.ClassDef | ast.Import | ast.ImportFrom


def enclose(tree: ast.Module, spot: FixContext) -> str | None:
    """Move the statements before or after the block into it; a target that the call itself computes gets a name in the block."""
    block = tape_block(tree, spot.opened)
    if block is None:
        return None
    within = block[0]
    if spot.place.line == spot.call.line:
        return _name_inside(tree, within, spot)
    for level in levels(tree, within):
        said = _from_before(level, within, spot)
        if said is None and level.statement is within:
            said = _from_after(level, within, spot)
        if said is not None:
            return said
    return None


def once_more(tree: ast.Module, spot: FixContext) -> str | None:
    """Keep a statement that another tape needs as well, and compute it again at the top of the block."""
    block, found = tape_block(tree, spot.opened), statement_at(tree, spot.place.line)
    if block is None or found is None or "once more" not in spot.fix:
        return None
    first = block[0].body[0]
    block[0].body.insert(0, placed(copy.deepcopy(found[1]), first))
    return texts.ONCE_MORE(statement=code(ast.unparse(found[1])))


def enclose_inner(tree: ast.Module, spot: FixContext) -> str | None:
    """Move a gradient call into the block together with the inner tape, because the outer tape must record the same ops."""
    block = tape_block(tree, spot.opened)
    for level in [] if block is None else levels(tree, block[0]):
        before = level.body[: level.index]
        requested = [each for each in before if any(covers(each, line) for line in spot.lines)]
        names = set[str]().union(*(names_in(each, ast.Load) for each in requested))
        inner = [
            each.lineno
            for each in before
            if isinstance(each, ast.With) and names & names_in(each, ast.Store)
        ]
        if block is not None and requested and inner:
            return _from_before(level, block[0], replace(spot, lines=(*spot.lines, *inner)))
    return None


def _from_before(level: Level, within: ast.With, spot: FixContext) -> str | None:
    """Return the statements of the cause, and the statements up to the block that read their results."""
    moved: list[ast.stmt] = []
    names: set[str] = set()
    for statement in level.body[: level.index]:
        is_cause = any(covers(statement, line) for line in spot.lines)
        reads = names & names_in(statement, ast.Load)
        if (is_cause or reads) and not isinstance(statement, _STAYS):
            moved.append(statement)
            names |= names_in(statement, ast.Store)
    if not moved:
        return None
    level.body[:] = [each for each in level.body if each not in moved]
    within.body[:0] = moved
    return _said(moved, spot)


def _from_after(level: Level, within: ast.With, spot: FixContext) -> str | None:
    """Return all statements up to the last statement of the cause, if that comes before the call."""
    after = level.body[level.index + 1 :]
    requested = next(
        (i for i, each in enumerate(after) if covers(each, spot.call.line)), len(after)
    )
    causes = [
        i
        for i, each in enumerate(after[:requested])
        if any(covers(each, line) for line in spot.lines)
    ]
    moved = after[: causes[-1] + 1] if causes else []
    if not moved:
        return None
    level.body[:] = [each for each in level.body if each not in moved]
    within.body += moved
    return _said(moved, spot)


def _said(moved: list[ast.stmt], spot: FixContext) -> str:
    first, last = moved[0].lineno, moved[-1].lineno
    if len(moved) == 1:
        return texts.MOVED(line=spot.words(first))
    return texts.MOVED_LINES(count=len(moved), first=spot.words(first), last=spot.words(last))


def _name_inside(tree: ast.Module, within: ast.With, spot: FixContext) -> str | None:
    """Rewrite `tape.gradient(loss + extra, w)` as `value = loss + extra` in the block, `tape.gradient(value, w)` after it."""
    target = _target_of(tree, spot)
    if target is None:
        return None
    within.body.append(_given_name(tree, target, within.body[-1]))
    return texts.COMPUTED_INSIDE(target=code(ast.unparse(target)))


def _target_of(tree: ast.Module, spot: FixContext) -> ast.expr | None:
    """Return the expression of the gradient call's target."""
    for node in expressions_at(tree, spot.call):
        if isinstance(node, ast.Call) and node.args and not isinstance(node.args[0], ast.Name):
            return node.args[0]
    return None


def _given_name(tree: ast.Module, target: ast.expr, beside: ast.stmt) -> ast.stmt:
    """Return the statement that computes the target and gives it a name, which the call then reads."""
    exchange(tree, target, placed(ast.Name("value_inside", ast.Load()), target))
    kept = ast.Assign([ast.Name("value_inside", ast.Store())], target)
    return ast.copy_location(ast.fix_missing_locations(kept), beside)


def reopen(tree: ast.Module, spot: FixContext) -> str | None:
    """Put `with tape:` around a statement that ran after the tape had closed, so that the tape continues to record."""
    tape = _tape_requested(tree, spot)
    found = statement_at(tree, spot.place.line)
    if tape is None or found is None:
        return None
    body, statement = found
    at = body.index(statement)
    if spot.place.line == spot.call.line:
        target = _target_of(tree, spot)
        if target is None:
            return None
        statement = _given_name(tree, target, statement)
        body.insert(at, statement)
    again = ast.With([ast.withitem(copy.deepcopy(tape))], [statement])
    body[at] = _placed_outside(again, statement)
    return texts.REOPENED(tape=code(f"with {ast.unparse(tape)}:"), line=spot.words(spot.place.line))


def _placed_outside(new: ast.With, inside: ast.stmt) -> ast.With:
    """Return a block with the location of its first statement."""
    for item in new.items:
        placed(item, inside)
    return ast.copy_location(new, inside)


def _tape_requested(tree: ast.Module, spot: FixContext) -> ast.expr | None:
    """Return the expression of the tape in the gradient call."""
    for node in expressions_at(tree, spot.call):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return node.func.value
    return None


def around_loop(tree: ast.Module, spot: FixContext) -> str | None:
    """Put one tape around the loop instead of one in each iteration; it also records the statements from the loop to the call."""
    block = tape_block(tree, spot.opened)
    if block is None or not isinstance(block[1].context_expr, ast.Call):
        return None
    within, item = block
    for level in levels(tree, within)[1:]:
        if isinstance(level.statement, ast.For | ast.While):
            _dissolve(tree, within, item)
            make_persistent(block[1].context_expr)
            again = _placed_outside(ast.With([item], [level.statement]), level.statement)
            level.body[level.index] = again
            _from_after(level, again, spot)
            return texts.AROUND_LOOP(line=spot.words(level.statement.lineno))
    return None


def _dissolve(tree: ast.Module, within: ast.With, item: ast.withitem) -> None:
    """Remove one item of a `with`; if it was the only one, keep the statements of the block."""
    within.items.remove(item)
    for body in bodies(tree):
        if not within.items and within in body:
            at = body.index(within)
            body[at : at + 1] = within.body


def make_persistent(opening: ast.Call) -> None:
    """Make a tape persistent, whether or not the call has a `persistent` argument."""
    for given in opening.keywords:
        if given.arg == "persistent":
            given.value = placed(ast.Constant(True), given.value)
            return
    opening.keywords.append(placed(ast.keyword("persistent", ast.Constant(True)), opening))


def into_function(tree: ast.Module, spot: FixContext) -> str | None:
    """Compute an argument inside the function: for `h = f(w); ask(h)`, compute `h` in the block of `ask`, for its parameter."""
    block, found = tape_block(tree, spot.opened), statement_at(tree, spot.place.line)
    function = function_around(tree, spot.opened)
    if block is None or found is None or function is None:
        return None
    body, statement = found
    if body is not tree.body or not isinstance(statement, ast.Assign):
        return None
    names = names_in(statement, ast.Store)
    first = block[0].body[0]
    copies: list[ast.stmt] = [placed(copy.deepcopy(statement), first)]
    for parameter, given in _arguments(tree, function):
        if names & names_in(given, ast.Load) and ast.unparse(given) != parameter:
            copies.append(statement_of(f"{parameter} = {ast.unparse(given)}", first))
    block[0].body[:0] = copies
    return texts.INSIDE_BLOCK_OF(
        statement=code(ast.unparse(statement)), function=code(function.name)
    )


def _arguments(tree: ast.Module, function: Function) -> list[tuple[str, ast.expr]]:
    """Return the arguments that the calls of a function pass to its parameters."""
    pairs: list[tuple[str, ast.expr]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(function.name):
            parameters = [each.arg for each in function.args.args]
            if isinstance(node.func, ast.Attribute) and parameters[:1] == ["self"]:
                parameters = parameters[1:]
            pairs += zip(parameters, node.args, strict=False)
            pairs += [(each.arg, each.value) for each in node.keywords if each.arg is not None]
    return pairs


def as_property(tree: ast.Module, spot: FixContext) -> str | None:
    """`self.h = f(self.w)` in `__init__` → a property `h` that computes it each time."""
    found, function = statement_at(tree, spot.place.line), function_around(tree, spot.place.line)
    if found is None or function is None or function.name not in ("__init__", "build"):
        return None
    body, statement = found
    owner = next(
        (each for each in levels(tree, function) if isinstance(each.owner, ast.ClassDef)), None
    )
    match statement:
        case ast.Assign(targets=[ast.Attribute(ast.Name("self"), name)], value=value):
            pass
        case _:
            return None
    own = names_in(function, ast.Store) | {each.arg for each in function.args.args[1:]}
    if owner is None or own & names_in(value, ast.Load):
        return None
    body.remove(statement)
    computed = statement_of(f"@property\ndef {name}(self):\n    return 0", statement)
    assert isinstance(computed, ast.FunctionDef)
    computed.body[0] = ast.copy_location(ast.Return(value), statement)
    owner.body.append(computed)
    return texts.AS_PROPERTY(attribute=code(f"self.{name}"))


def as_first_line(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite `def f(x, h=g(w)):` as `def f(x, h=None):`, and `h = g(w)` in the function if none was given."""
    for function in [node for node in ast.walk(tree) if isinstance(node, Function)]:
        given = function.args
        positional = given.args[len(given.args) - len(given.defaults) :]
        pairs = [
            *zip(positional, given.defaults, strict=True),
            *zip(given.kwonlyargs, given.kw_defaults, strict=True),
        ]
        for parameter, default in pairs:
            if (
                default is not None
                and default.lineno in spot.lines
                and isinstance(default, ast.Call | ast.BinOp)
            ):
                exchange(given, default, placed(ast.Constant(None), default))
                name, text = parameter.arg, ast.unparse(default)
                first = f"{name} = {text} if {name} is None else {name}"
                function.body.insert(0, statement_of(first, function.body[0]))
                return texts.INSIDE_FUNCTION(
                    statement=code(f"{name} = {text}"), function=code(function.name)
                )
    return None


def without_memory(tree: ast.Module, spot: FixContext) -> str | None:
    """Replace `cached_property` with `property`; remove `cache` and `lru_cache`."""
    for line in spot.lines:
        function = function_around(tree, line)
        for decorator in [] if function is None else list(function.decorator_list):
            text = ast.unparse(decorator)
            if function is not None and "cache" in text:
                function.decorator_list.remove(decorator)
                if "property" in text:
                    again = placed(ast.Name("property", ast.Load()), decorator)
                    function.decorator_list.append(again)
                return texts.WITHOUT_DECORATOR(
                    function=code(function.name), decorator=code(f"@{text}")
                )
    return None
