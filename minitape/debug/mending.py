"""From a finding to the script without that mistake: syntax tree in, syntax tree out.

    Spot      where the mistake is, in which call, under which tape
    mended    a copy of the tree with the mistake mended, and what was done, in words

Each mend does what its finding advises, where that can be done by rule. Nodes keep their places, so that the lines of a mended
script are those of the file. A mend that does not fit gives None, or a script that fails: neither proves anything.
"""

import ast
import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from minitape.debug.causes.rewriting import assigned, is_place, parsed, translated, with_points
from minitape.debug.report import Place


@dataclass(frozen=True)
class Spot:
    """What a mend may look at: the finding's place and advice, the call and its source, the line that opens the tape.

    `made` is the line in which the source was made.
    """

    slug: str
    place: Place
    fix: str
    call: Place
    source: str
    made: int
    opened: int


def mended(tree: ast.Module, spot: Spot) -> tuple[ast.Module, str] | None:
    """The script with one mistake mended, and what was done; None where no rule does it."""
    mend = _MENDS.get(spot.slug)
    if mend is None:
        return None
    changed = copy.deepcopy(tree)
    said = mend(changed, spot)
    return None if said is None else (ast.fix_missing_locations(changed), said)


# --- finding and exchanging ---


def _at(tree: ast.AST, place: Place) -> Iterator[ast.expr]:
    """The expressions that stand at a place, the outermost first."""
    wanted = place.line, place.column, place.end_line, place.end_column
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            span = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
            if span == wanted:
                yield node


def _exchange(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Put `new` where `old` stands."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if value is old:
                setattr(node, name, new)
            elif isinstance(value, list):
                value[:] = [new if each is old else each for each in value]


_Node = TypeVar("_Node", bound=ast.AST)


def _placed(new: _Node, old: ast.AST) -> _Node:
    for node in ast.walk(new):
        ast.copy_location(node, old)
    return new


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield value


def _statement(tree: ast.AST, line: int) -> tuple[list[ast.stmt], ast.stmt] | None:
    """The innermost statement that covers a line, and the list that it stands in."""
    found = [
        (body, each)
        for body in _bodies(tree)
        for each in body
        if each.lineno <= line <= (each.end_lineno or each.lineno)
    ]
    return min(found, key=lambda at: (at[1].end_lineno or 0) - at[1].lineno, default=None)


def _block(tree: ast.AST, opened: int) -> tuple[ast.With, ast.withitem] | None:
    """The `with` that opens the tape."""
    for node in ast.walk(tree):
        if isinstance(node, ast.With) and node.lineno <= opened < node.body[0].lineno:
            tapes = [each for each in node.items if "GradientTape" in ast.unparse(each)]
            if len(tapes) == 1:
                return node, tapes[0]
    return None


# --- the mends ---


def _in_tensorflow(tree: ast.Module, spot: Spot) -> str | None:
    """NumPy's function → TensorFlow's; a conversion → what it was given."""
    for node in _at(tree, spot.place):
        if isinstance(node, ast.Call):
            better = _without_conversion(node) or translated(node)
            if better is not None and ast.unparse(better) != ast.unparse(node):
                _exchange(tree, node, better)
                return f"{ast.unparse(better)} instead of {ast.unparse(node)}"
    return None


def _without_conversion(node: ast.Call) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Attribute(value=inside, attr="numpy" | "item"), args=[]):
            return inside
        case ast.Call(func=ast.Name("float"), args=[inside]):
            return inside
    return None


def _without_call(tree: ast.Module, spot: Spot) -> str | None:
    """A call that only passes on its numbers → what it was given."""
    for node in _at(tree, spot.place):
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            _exchange(tree, node, node.args[0])
            return f"{ast.unparse(node.args[0])} instead of {ast.unparse(node)}"
    return None


def _of_floats(tree: ast.Module, spot: Spot) -> str | None:
    for node in _at(tree, spot.place):
        text = ast.unparse(node)
        better = parsed(with_points(text) or "")
        if better is not None:
            _exchange(tree, node, _placed(better, node))
            return f"{ast.unparse(better)} instead of {text}"
    return None


def _straight_through(tree: ast.Module, spot: Spot) -> str | None:
    advice = re.fullmatch(r"straight through: (.*?)(?:, with x = (.*))?", spot.fix)
    better = parsed(advice[1]) if advice else None
    if advice is None or better is None:
        return None
    given = parsed(advice[2]) if advice[2] else None
    for name in [each for each in ast.walk(better) if isinstance(each, ast.Name)]:
        if given is not None and name.id == "x":
            _exchange(better, name, copy.deepcopy(given))
    for node in _at(tree, spot.place):
        _exchange(tree, node, _placed(better, node))
        return f"{ast.unparse(better)} instead of {ast.unparse(node)}"
    return None


def _watch(tree: ast.Module, spot: Spot) -> str | None:
    """Watch the source at the top of the block, or as soon as it exists."""
    block = _block(tree, spot.opened)
    if block is None or block[1].optional_vars is None or not is_place(spot.source):
        return None
    within, item = block
    assert item.optional_vars is not None
    said = f"{ast.unparse(item.optional_vars)}.watch({spot.source})"
    first = within.body[0]
    body, index = within.body, 0
    if first.lineno <= spot.made <= (within.end_lineno or 0):
        found = _statement(within, spot.made)
        assert found is not None
        body, index = found[0], found[0].index(found[1]) + 1
    body.insert(index, _placed(ast.parse(said).body[0], first))
    return (
        f"{said} at the top of the with block" if index == 0 else f"{said} after line {spot.made}"
    )


def _trainable(tree: ast.Module, spot: Spot) -> str | None:
    for node in _at(tree, spot.place):
        if isinstance(node, ast.Call) and any(each.arg == "trainable" for each in node.keywords):
            node.keywords = [each for each in node.keywords if each.arg != "trainable"]
            return f"{ast.unparse(node)}, without trainable=False"
    return _watch(tree, spot)


def _move_inside(tree: ast.Module, spot: Spot) -> str | None:
    """Move the statement into the block; what is computed in the gradient call itself gets a name there."""
    block, found = _block(tree, spot.opened), _statement(tree, spot.place.line)
    if block is None or found is None:
        return None
    within, (body, statement) = block[0], found
    if spot.place.line == spot.call.line:
        return _name_inside(tree, within, spot)
    if within not in body or not isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign):
        return None
    is_before = body.index(statement) < body.index(within)
    body.remove(statement)
    within.body.insert(0 if is_before else len(within.body), statement)
    return f"line {spot.place.line} moved into the with block"


def _name_inside(tree: ast.Module, within: ast.With, spot: Spot) -> str | None:
    """`tape.gradient(loss + extra, w)` → `value = loss + extra` in the block, `tape.gradient(value, w)` after it."""
    for node in _at(tree, spot.call):
        if isinstance(node, ast.Call) and node.args and not isinstance(node.args[0], ast.Name):
            target, last = node.args[0], within.body[-1]
            name = ast.Name("value_inside", ast.Load())
            kept = ast.Assign([ast.Name("value_inside", ast.Store())], target)
            within.body.append(ast.copy_location(ast.fix_missing_locations(kept), last))
            node.args[0] = _placed(name, target)
            return f"{ast.unparse(target)} computed inside the with block"
    return None


def _assign(tree: ast.Module, spot: Spot) -> str | None:
    """`w = w - step` → `w.assign_sub(step)`."""
    found = _statement(tree, spot.place.line)
    if found is None:
        return None
    body, statement = found
    text = ast.unparse(statement)
    match statement:
        case ast.Assign(value=ast.Call(func=ast.Attribute(attr=how)) as call) if "assign" in how:
            better: str | None = ast.unparse(call)
        case _:
            better = assigned(spot.source, text)
    if better is None:
        return None
    body[body.index(statement)] = _placed(ast.parse(better).body[0], statement)
    return f"{better} instead of {text}"


def _recorded(tree: ast.Module, spot: Spot) -> str | None:
    """What stands in a `with tape.stop_recording()` → the same without it."""
    found = _statement(tree, spot.place.line)
    within = None if found is None else found[1]
    if not isinstance(within, ast.With) or "stop_recording" not in ast.unparse(within.items[0]):
        return None
    for body in _bodies(tree):
        if within in body:
            at = body.index(within)
            body[at : at + 1] = within.body
    return f"what stands in the block of line {within.lineno}, without stop_recording"


def _persistent(tree: ast.Module, spot: Spot) -> str | None:
    block = _block(tree, spot.opened)
    if block is None or not isinstance(block[1].context_expr, ast.Call):
        return None
    opening = block[1].context_expr
    opening.keywords.append(_placed(ast.keyword("persistent", ast.Constant(True)), opening))
    return f"{ast.unparse(opening)} in line {spot.opened}"


_MENDS: dict[str, Callable[[ast.Module, Spot], str | None]] = {
    "auto-watch-off": _watch,
    "computed-after-tape": _move_inside,
    "computed-before-tape": _move_inside,
    "integer-dtype": _of_floats,
    "new-variable": _without_call,
    "non-differentiable-op": _straight_through,
    "not-trainable": _trainable,
    "not-watched": _watch,
    "numpy-roundtrip": _in_tensorflow,
    "python-scalar": _in_tensorflow,
    "stop-gradient": _without_call,
    "stop-recording": _recorded,
    "tape-consumed": _persistent,
    "variable-replaced": _assign,
    "watched-too-late": _watch,
}
