"""Program repair: takes a finding and the syntax tree of a script, and returns the tree without that mistake.

    `fixes`    copies of the tree with the mistake fixed, each with a description of the change; the most likely fix first
    `hopeless` why no rule fixes a cause, in a sentence

Each rule does what its finding advises, if that can be done automatically. Nodes keep their locations, so that a fixed script
has the line numbers of the file. A rule that does not apply returns None, or a script that fails. Neither result proves
anything.
"""

import ast
import copy
import re
from collections.abc import Callable, Iterator
from typing import Any

from minitape.explain.causes import cuts, empty, keras, refusals, sources, tapes, twins, zeros
from minitape.explain.causes.cause import Cause
from minitape.explain.causes.rewriting import (
    assigned,
    is_place,
    parsed,
    translated,
    with_points,
)
from minitape.explain.causes.wording.array_methods import (
    parents_in,
    uses_as_array,
    with_methods,
    without_array,
)
from minitape.explain.causes.wording.copies import rows_of
from minitape.explain.flow.program.numpy_names import names_in_nodes
from minitape.explain.flow.program.trees import is_same_code
from minitape.fixes import fix_texts as texts
from minitape.fixes.repair import by_moving as moving
from minitape.fixes.repair import of_keras, of_twins
from minitape.fixes.repair import of_stores as storing
from minitape.fixes.repair.changes import instead, on_line
from minitape.fixes.text.syntax import (
    FixContext,
    bodies,
    exchange,
    expressions_at,
    function_around,
    placed,
    statement_at,
    statement_of,
    tape_block,
)
from minitape.templates import code


def fixes(tree: ast.Module, spot: FixContext) -> Iterator[tuple[ast.Module, str]]:
    """For each rule that applies, yield the script with the mistake fixed, and a description of the change."""
    for fix in FIXES.get(spot.cause, ()):
        changed = copy.deepcopy(tree)
        said = fix(changed, spot)
        if said is not None:
            for body in _bodies_left_empty(changed):
                body.append(ast.Pass())
            yield ast.fix_missing_locations(changed), said


def _bodies_left_empty(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the lists of statements that are empty now."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(node, ast.stmt) and body == []:
            yield body


def hopeless(cause: Cause[Any]) -> str:
    """Return why no rule fixes a cause."""
    return cause.by_hand or texts.NO_RULE


# --- the rules ---


def _in_tensorflow(tree: ast.Module, spot: FixContext) -> str | None:
    """Replace a NumPy function with the TensorFlow function, or a conversion with its argument."""
    if spot.fix.startswith("delete line"):  # else the name would be assigned to itself
        return None
    names = names_in_nodes(ast.walk(tree))
    for node in expressions_at(tree, spot.place):
        if isinstance(node, ast.Call):
            is_conversion = _without_conversion(node) is not None
            written: ast.expr = node
            better = None if is_conversion else translated(node, names=names)
            if is_conversion:
                written, better = without_array(tree, node) or (node, None)
            elif better is not None:
                written, better = with_methods(parents_in(tree), node, better) or (node, better)
            if better is not None and ast.unparse(better) != ast.unparse(written):
                later = _later_methods(tree, written)
                exchange(tree, written, better)
                for old, new in later:
                    exchange(tree, old, placed(new, old))
                return instead(better, written)
    return None


def _later_methods(tree: ast.Module, written: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """Return the later calls of array methods on the name of the expression, each with its replacement."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is written:
                return uses_as_array(tree, node.lineno, name)
    return []


def _without_map(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite `for x in map(float, xs)` as `for x in xs`."""
    found = statement_at(tree, spot.place.line)
    for node in [] if found is None else ast.walk(found[1]):
        match node:
            case ast.Call(func=ast.Name("map"), args=[ast.Name("float"), given]):
                exchange(tree, node, given)
                return instead(given, node)
    return None


def _rows_instead(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite `for row in Dataset.from_tensor_slices(x)` as `for row in tf.unstack(x)`."""
    for node in expressions_at(tree, spot.place):
        found = rows_of(tree, node)
        if found is not None:
            written, better = found
            exchange(tree, written, placed(better, written))
            return instead(better, written)
    return None


def _without_conversion(node: ast.Call) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Attribute(value=inside, attr="numpy" | "item"), args=[]):
            return inside
        case ast.Call(func=ast.Attribute(value=inside, attr="get_weights"), args=[]):
            return ast.Attribute(inside, "weights", ast.Load())
        case ast.Call(func=ast.Name("float"), args=[inside]):
            return inside
    return None


def _without_call(tree: ast.Module, spot: FixContext) -> str | None:
    """Replace a call that only passes on its values with its argument."""
    for node in expressions_at(tree, spot.place):
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            exchange(tree, node, node.args[0])
            return instead(node.args[0], node)
    return None


def _swapped_once(tree: ast.Module, spot: FixContext) -> str | None:
    """Swap the arguments in the call of a function that stops the gradient of one argument; of several calls, only the first."""
    advice = re.match(r"swap the arguments: `(.*?)`; remove", spot.fix)
    better = parsed(advice[1]) if advice else None
    for call in expressions_at(tree, spot.place) if better is not None else ():
        assert better is not None
        exchange(tree, call, placed(better, call))
        return instead(better, call)
    function = function_around(tree, spot.place.line)
    if function is None or "swap the arguments" not in spot.fix:
        return None
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=func, args=[one, other], keywords=[]):
                if ast.unparse(func).rpartition(".")[2] == function.name:
                    node.args = [other, one]
                    return on_line(node, spot.words(node.lineno))
    return None


def _of_floats(tree: ast.Module, spot: FixContext) -> str | None:
    # As floats, the values could not be indices.
    if "only as an index" in spot.fix or "between two elements" in spot.fix:
        return None
    for node in expressions_at(tree, spot.place):
        text = ast.unparse(node)
        better = parsed(with_points(text) or "")
        if better is not None:
            exchange(tree, node, placed(better, node))
            return instead(better, text)
    return None


def _as_advised(tree: ast.Module, spot: FixContext) -> str | None:
    """Replace one expression with another, as a finding advises: "use `A` instead of `B` (line 3)"."""
    advice = re.match(
        r"use `([^`]+)` instead of `([^`]+)`(?: \(line (\d+)\))?(?:$|:|,(?! `))", spot.fix
    )
    better, written = (parsed(advice[1]), parsed(advice[2])) if advice else (None, None)
    if advice is None or better is None or written is None:
        return None
    line = spot.line_of_place(int(advice[3])) if advice[3] else spot.place.line
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr) or node.lineno != line:
            continue
        if is_same_code(node, written):
            exchange(tree, node, placed(better, node))
            return instead(better, written)
    return None


def _statement_as_advised(tree: ast.Module, spot: FixContext) -> str | None:
    """Replace the statement on a line with another, as a finding advises: "write `S` (line 3)"."""
    advice = re.match(r"(?:keep the tensor: )?write `([^`]+)` \(line (\d+)\)", spot.fix)
    found = None if advice is None else statement_at(tree, spot.line_of_place(int(advice[2])))
    if advice is None or found is None:
        return None
    body, statement = found
    try:
        body[body.index(statement)] = statement_of(advice[1], statement)
    except SyntaxError:
        return None
    return on_line(advice[1], spot.words(statement.lineno))


def _tensor_as_advised(tree: ast.Module, spot: FixContext) -> str | None:
    """Replace a single statement that converts a tensor, as a finding advises."""
    pattern = (
        r"(keep the tensor: )?write `[^`]+` \(line \d+\)"
        r"(, and (use TensorFlow functions on the tensor itself|convert the tensor only to print it))?"
    )
    return _statement_as_advised(tree, spot) if re.fullmatch(pattern, spot.fix) else None


def _without_line(tree: ast.Module, spot: FixContext) -> str | None:
    """Delete a statement that only converts a tensor, as a finding advises, and replace later NumPy calls."""
    found = statement_at(tree, spot.place.line)
    if found is None or not spot.fix.startswith("delete line"):
        return None
    for better, written, line in re.findall(
        r"`([^`]+)` instead of `([^`]+)` \(line (\d+)\)", spot.fix
    ):
        new, old = parsed(better), parsed(written)
        at = spot.line_of_place(int(line))
        nodes = (each for each in ast.walk(tree) if getattr(each, "lineno", 0) == at)
        node = next((each for each in nodes if old is not None and is_same_code(each, old)), None)
        if new is None or not isinstance(node, ast.expr):
            return None
        exchange(tree, node, placed(new, node))
    body, statement = found
    body.remove(statement)
    return texts.REMOVED(call=code(ast.unparse(statement)), line=spot.words(statement.lineno))


def _straight_through(tree: ast.Module, spot: FixContext) -> str | None:
    advice = re.fullmatch(
        r"use a straight-through estimator: `(.*?)`(?:, with `x = (.*)`)?", spot.fix
    )
    better = parsed(advice[1]) if advice else None
    if advice is None or better is None:
        return None
    given = parsed(advice[2]) if advice[2] else None
    for name in [each for each in ast.walk(better) if isinstance(each, ast.Name)]:
        if given is not None and name.id == "x":
            exchange(better, name, copy.deepcopy(given))
    for node in expressions_at(tree, spot.place):
        exchange(tree, node, placed(better, node))
        return instead(better, node)
    return None


def _watch(tree: ast.Module, spot: FixContext) -> str | None:
    """Insert a `watch` of the source at the top of the block, or as soon as the source exists."""
    block = tape_block(tree, spot.opened)
    if block is None or block[1].optional_vars is None or not is_place(spot.source):
        return None
    within, item = block
    assert item.optional_vars is not None
    said = f"{ast.unparse(item.optional_vars)}.watch({spot.source})"
    first = within.body[0]
    body, index = within.body, 0
    if first.lineno <= spot.made <= (within.end_lineno or 0):
        found = statement_at(within, spot.made)
        assert found is not None
        body, index = found[0], found[0].index(found[1]) + 1
    body.insert(index, placed(ast.parse(said).body[0], first))
    if index == 0:
        return texts.WATCH_AT_TOP(watch=code(said))
    return texts.WATCH_AFTER(watch=code(said), line=spot.words(spot.made))


def _watch_by_itself(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite `GradientTape(watch_accessed_variables=False)` as `GradientTape()`."""
    block = tape_block(tree, spot.opened)
    opening = None if block is None else block[1].context_expr
    if not isinstance(opening, ast.Call):
        return None
    kept = [each for each in opening.keywords if each.arg != "watch_accessed_variables"]
    if len(kept) == len(opening.keywords):
        return None
    opening.keywords = kept
    return on_line(opening, spot.words(spot.opened))


def _trainable(tree: ast.Module, spot: FixContext) -> str | None:
    for node in (each for each in ast.walk(tree) if isinstance(each, ast.Call)):
        said = [each for each in node.keywords if each.arg == "trainable"]
        if any(each.value.lineno == spot.place.line for each in said):
            node.keywords = [each for each in node.keywords if each.arg != "trainable"]
            return texts.WITHOUT_TRAINABLE(call=code(ast.unparse(node)))
    return _watch(tree, spot)


def _assign(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite `w = w - step` as `w.assign_sub(step)`."""
    found = statement_at(tree, spot.place.line)
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
    body[body.index(statement)] = placed(ast.parse(better).body[0], statement)
    return instead(better, text)


def _recorded(tree: ast.Module, spot: FixContext) -> str | None:
    """Replace a `with tape.stop_recording()` block with its statements."""
    found = statement_at(tree, spot.place.line)
    within = None if found is None else found[1]
    if not isinstance(within, ast.With) or "stop_recording" not in ast.unparse(within.items[0]):
        return None
    for body in bodies(tree):
        if within in body:
            at = body.index(within)
            body[at : at + 1] = within.body
    return texts.WITHOUT_STOP(line=spot.words(within.lineno))


def _persistent(tree: ast.Module, spot: FixContext) -> str | None:
    block = tape_block(tree, spot.opened)
    if block is None or not isinstance(block[1].context_expr, ast.Call):
        return None
    opening = block[1].context_expr
    moving.make_persistent(opening)
    return on_line(opening, spot.words(spot.opened))


def _without_reset(tree: ast.Module, spot: FixContext) -> str | None:
    for node in expressions_at(tree, spot.place):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".reset"):
            exchange(tree, node, placed(ast.Constant(None), node))
            return texts.REMOVED(call=code(ast.unparse(node)), line=spot.words(spot.place.line))
    return None


def _watch_itself(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite `tape.watch(tf.identity(x))` as `tape.watch(x)`."""
    for node in expressions_at(tree, spot.place):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".watch"):
            source = parsed(spot.source)
            if source is None or not is_place(spot.source):
                return None
            before = ast.unparse(node)
            node.args = [placed(source, node)]
            return instead(node, before)
    return None


def _ask_for_original(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite `tape.gradient(y, v[0])` as `tape.gradient(y, v)[0]`, as the fix of the finding advises."""
    advice = parsed(spot.advised_code)
    match advice:
        case ast.Subscript(value=ast.Call(args=[_, original]), slice=index):
            for node in expressions_at(tree, spot.call):
                if isinstance(node, ast.Call) and _is_only_source(node, spot.source):
                    node.args[1] = placed(original, node)
                    picked = ast.Subscript(copy.copy(node), placed(index, node), ast.Load())
                    exchange(tree, node, ast.copy_location(picked, node))
                    return spot.advised_code
        case ast.Call(args=[_, original]) if spot.is_same_shape:
            source = _source_in_call(tree, spot)
            if source is not None:
                exchange(tree, source, placed(original, source))
                return texts.AS_THE_SOURCE(
                    better=code(ast.unparse(original)), written=code(spot.source)
                )
    return None


def _not_copied(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite `now = drag.read_value()` as `now = drag`, so that the target is computed from the source itself."""
    for node in expressions_at(tree, spot.place):
        inside: ast.expr | None = None
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="read_value" | "value"), args=[]):
                inside = owner
            case ast.Call(args=[given], keywords=[]) if spot.is_same_shape:
                inside = given
        if inside is not None:
            exchange(tree, node, inside)
            return instead(inside, node)
    return None


def _is_only_source(call: ast.Call, source: str) -> bool:
    return len(call.args) == 2 and ast.unparse(call.args[1]) == source


def _source_in_call(tree: ast.Module, spot: FixContext) -> ast.expr | None:
    """Return the expression of the source in the gradient call."""
    for node in expressions_at(tree, spot.call):
        if isinstance(node, ast.Call):
            given = [each.value for each in node.keywords if each.arg == "sources"] + node.args[1:2]
            for each in (leaf for one in given for leaf in ast.walk(one)):
                if isinstance(each, ast.expr) and ast.unparse(each) == spot.source:
                    return each
    return None


def _name_the_original(tree: ast.Module, spot: FixContext) -> str | None:
    """Name the original: `y = f(2 * w)` with the source `2 * w` becomes `y = f(original := 2 * w)` with the source `original`."""
    source = _source_in_call(tree, spot)
    found = None if spot.original is None else next(expressions_at(tree, spot.original), None)
    if source is None or found is None or spot.original is None:
        return None
    name = ast.NamedExpr(ast.Name("original", ast.Store()), copy.deepcopy(found))
    exchange(tree, found, placed(name, found))
    exchange(tree, source, placed(ast.Name("original", ast.Load()), source))
    return texts.NAMED_ORIGINAL(
        named=code(f"original := {ast.unparse(found)}"),
        line=spot.words(spot.original.line),
        written=code(spot.source),
    )


def _ask_recorder(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite `inner.gradient(y, x)` as `outer.gradient(y, x)`, where the outer one recorded y."""
    requested = parsed(spot.recorder or "")
    if requested is None or spot.place.line != spot.call.line:
        return None
    for node in expressions_at(tree, spot.call):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            before = ast.unparse(node.func)
            node.func.value = placed(requested, node.func.value)
            if ast.unparse(node.func) != before:
                return instead(node.func, before)
    return None


FIXES: dict[Cause[Any], tuple[Callable[[ast.Module, FixContext], str | None], ...]] = {
    empty.watched_before_build: (_watch_by_itself,),
    sources.auto_watch_off: (_watch, _watch_by_itself),
    tapes.computed_after_tape: (moving.enclose, moving.around_loop, moving.reopen),
    tapes.computed_before_tape: (
        moving.once_more,
        moving.enclose,
        moving.into_function,
        moving.as_property,
        moving.as_first_line,
        moving.without_memory,
    ),
    sources.integer_dtype: (_statement_as_advised, _of_floats),
    keras.keras_predict: (of_keras.call_the_model,),
    keras.metric_as_loss: (of_keras.loss_for_metric, _as_advised, _statement_as_advised),
    cuts.new_variable: (_without_call,),
    cuts.non_differentiable_op: (_straight_through, _as_advised, _statement_as_advised),
    sources.not_trainable: (_trainable,),
    sources.not_watched: (_statement_as_advised, _watch),
    cuts.numpy_roundtrip: (_without_line, _as_advised, _tensor_as_advised, _in_tensorflow),
    tapes.other_tape: (
        moving.once_more,
        _ask_recorder,
        moving.enclose,
        moving.around_loop,
        moving.reopen,
    ),
    twins.other_model: (of_twins.call_the_other,),
    twins.late_binding: (of_twins.kept_at_once,),
    cuts.dataset: (_rows_instead,),
    cuts.python_scalar: (_without_line, _tensor_as_advised, _in_tensorflow, _without_map),
    tapes.second_order_not_recorded: (moving.enclose_inner, moving.enclose, moving.reopen),
    sources.source_is_copy: (
        _watch_itself,
        of_twins.as_the_copy_was,
        _ask_for_original,
        _name_the_original,
        _not_copied,
    ),
    cuts.state_assign: (storing.as_list, storing.as_tensors, storing.rebind, storing.keep_beside),
    cuts.stop_gradient: (_swapped_once, _as_advised, _statement_as_advised, _without_call),
    tapes.stop_recording: (_recorded,),
    refusals.tape_consumed: (_persistent,),
    zeros.straight_through_unstopped: (_as_advised,),
    tapes.tape_reset: (_without_reset,),
    sources.variable_replaced: (_assign,),
    sources.watched_too_late: (_watch,),
}
